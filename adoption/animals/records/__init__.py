"""Records of animals for programs: every public field, with filters and sort orders.

The same statements read one project's animals or all shelters' animals. The ``Visibility`` decides which.
"""
