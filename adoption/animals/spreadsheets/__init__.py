"""Spreadsheet import and export.

Import, in this order::

    file_kinds      finds the kind of the file, text_encoding the encoding of a text file
    file_reader     opens it: text_reader with csv_reader, html_reader, json_reader, ods_reader,
                    xls_reader, or xlsx_reader with zip_bomb_guard
    header_search   finds the header, sheet_choice the sheets with animals
    cell_checks     finds damaged cells, summary_rows totals
    header_formats  recognises the columns; column_mapping changes them as the user says
    inference       finds what only the whole file shows, such as the order of day and month
    row_parser      parses a row with cell_parsers, dates, breeds, text_cleanup and vocabulary
    row_rules       combines the cells of a row
    importer        merges the rows of one animal and calls upsert, which writes them

The user's choices for a file are ``import_options.ImportOptions``, for the page and the command alike.
``preview`` shows the first rows. Export: ``export`` calls ``own_format`` (CSV), ``export_xlsx`` or
``export_petfinder``.
"""
