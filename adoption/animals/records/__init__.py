"""Records of animals for programs: every public field, with filters and sort orders.

The same statements serve a project's own animals and, with another ``Visibility``, all shelters' animals.
"""
