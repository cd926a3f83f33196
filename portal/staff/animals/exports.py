"""Export of a shelter's animals: the page with the file formats, and the download."""

from tempfile import TemporaryFile
from typing import IO

from flask import Response, make_response, render_template, request
from werkzeug.wsgi import wrap_file

from adoption.accounts.project_access import ProjectAccess
from adoption.errors import NotFound
from adoption.spreadsheets.exports.export_formats import KINDS, export
from adoption.spreadsheets.exports.petfinder import incomplete_animals
from adoption.translations import gettext, message
from portal.current_user import actor
from portal.responses import as_download
from portal.staff import may, staff

FORMATS = {
    "csv": (
        message("CSV"),
        message("For any spreadsheet program. Importing the file here again changes nothing."),
    ),
    "xlsx": (
        message("Excel workbook (XLSX)"),
        message("The same columns, with fees as numbers and dates as dates."),
    ),
    "petfinder": (
        message("Petfinder's columns (CSV)"),
        message("For services that take Petfinder's file. Listed animals only."),
    ),
    "json": (message("JSON"), message("For programs. Importing the file here again changes nothing.")),
}

IN_MEMORY_LARGEST = 8_388_608
"""The size in bytes of the largest file that is sent from memory."""
BLOCK = 131_072
"""The size in bytes of the pieces in which a larger file is sent."""


@staff.get("/export")
@may("animals.export")
def export_animals(access: ProjectAccess) -> Response:
    incomplete = incomplete_animals(access.project.id)
    return make_response(render_template("staff/imports/export.html", formats=FORMATS, incomplete=incomplete))


@staff.post("/export")
@may("animals.export")
def download_export(access: ProjectAccess) -> Response:
    name = request.form.get("format", "")
    if name not in KINDS:
        raise NotFound(gettext("There is no such kind of file. Choose one of these."))
    # The file is on disk, because a shelter may have any number of animals.
    file = TemporaryFile()  # noqa: SIM115 - the response closes it
    try:
        export(access.project.slug, name, file, "private" in request.form, actor())
    except BaseException:
        file.close()
        raise
    length = file.tell()
    file.seek(0)
    response = file_response(file, length)
    response.content_length = length
    return as_download(
        response, f"{access.project.slug}-animals.{KINDS[name].ending}", KINDS[name].media_type
    )


def file_response(file: IO[bytes], length: int) -> Response:
    """Return a response with the file.

    A large file is sent in pieces, and occupies a thread until the last piece is sent.
    """
    if length <= IN_MEMORY_LARGEST:
        with file:
            return Response(file.read(), mimetype=None)
    content = wrap_file(request.environ, file, BLOCK)
    return Response(content, mimetype=None, direct_passthrough=True)
