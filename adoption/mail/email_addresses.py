"""Email addresses, normalised for counting."""


def mailbox_of(email: str) -> str:
    """Return an address without its tag, for counting: ``sam+1@`` and ``sam+2@`` are one."""
    local, at, domain = email.lower().rpartition("@")
    return f"{local.partition('+')[0]}{at}{domain}"
