"""A shelter's spreadsheets, in and out.

A file goes down this road: ``sheets`` opens it (as ``separated`` values or ``workbooks``), ``columns`` knows
its headers, ``survey`` finds out what only the whole file tells, ``readings`` and ``settling`` judge a row
with the help of ``cells``, ``dates``, ``breeds``, ``prose`` and ``vocabulary``, and ``arrivals`` writes.
``imports`` leads it, and ``exports`` goes the other way.
"""
