"""Spreadsheet import and export.

Import, in this order::

    files                   opens a file. file_kinds detects the file's kind, and each kind has its own
                            reader. text_encoding detects the encoding. header_search finds the header.
                            sheet_choice finds the sheets with animals, damaged_cells finds damaged cells,
                            and summary_rows finds totals
    columns                 recognises the columns. column_mapping applies the user's changes
    parse_option_inference  infers options from the whole file, such as the order of day and month
    rows                    parses the cells of a row with animals.parsing and statuses, and combines them
    importer                merges the rows of each animal, and calls upsert to write the animal

``import_options.ImportOptions`` has the user's choices for a file, for both the page and the command.
``preview`` shows the first rows. ``exports`` writes CSV, XLSX, JSON and Petfinder's format.
"""
