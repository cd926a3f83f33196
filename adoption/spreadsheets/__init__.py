"""Spreadsheet import and export.

Import, in this order::

    files           opens a file. file_kinds detects its kind, and text_encoding its encoding. Each
                    kind has a reader for its rows. header_search finds the header, sheet_choice the
                    sheets with animals, cell_checks damaged cells, and summary_rows totals
    columns         recognises the columns. column_mapping applies the user's changes
    inference       finds what only the whole file shows, such as the order of day and month
    rows            parses the cells of a row with animals.parsing and statuses, and combines them
    importer        merges the rows of one animal, and calls upsert to write them

``import_options.ImportOptions`` has the user's choices for a file, for both the page and the command.
``preview`` shows the first rows. ``exports`` writes CSV, XLSX, JSON and Petfinder's format.
"""
