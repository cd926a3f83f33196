"""Spreadsheet import and export.

Import, in this order::

    files           opens a file: file_kinds finds its kind, text_encoding its encoding, a reader
                    per kind its rows, header_search the header, sheet_choice the sheets with animals,
                    cell_checks damaged cells, and summary_rows totals
    columns         recognises the columns; column_mapping changes them as the user says
    inference       finds what only the whole file shows, such as the order of day and month
    rows            parses a row, with animals.parsing and statuses, and combines its cells
    importer        merges the rows of one animal and calls upsert, which writes them

The user's choices for a file are ``import_options.ImportOptions``, for the page and the command alike.
``preview`` shows the first rows. ``exports`` writes CSV, XLSX, JSON and Petfinder's format.
"""
