"""The staff's table of animals."""

from flask import Response, make_response, render_template

from adoption.accounts.access import Place
from portal.staff import may, staff


@staff.get("/animals")
@may("animals.see")
def animals(place: Place) -> Response:
    return make_response(render_template("staff/animals/index.html"))
