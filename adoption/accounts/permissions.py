"""Permissions by role. No other module tests a role."""

OWNER, STAFF = "owner", "staff"


ROLES = (OWNER, STAFF)


EVERYBODY = frozenset(ROLES)


OWNERS = frozenset({OWNER})


PERMISSIONS = {
    "animals.see": EVERYBODY,
    "animals.edit": EVERYBODY,
    "animals.import": EVERYBODY,
    "animals.export": EVERYBODY,
    "applications.see": EVERYBODY,
    "applications.decide": EVERYBODY,
    "applications.forget": OWNERS,
    "project.see": EVERYBODY,
    "project.edit": OWNERS,
    "project.publish": OWNERS,
    "project.add": OWNERS,
    "domains.see": EVERYBODY,
    "domains.edit": OWNERS,
    "keys.see": EVERYBODY,
    "keys.edit": OWNERS,
    "keys.lift": EVERYBODY,
    "usage.see": EVERYBODY,
    "plan.request": OWNERS,
    "members.see": EVERYBODY,
    "members.edit": OWNERS,
    "audit.see": OWNERS,
}
"""The roles that have each permission."""


def exceeds_staff(role: str) -> bool:
    """Return whether the role has a permission that staff lack."""
    return any(role in roles and STAFF not in roles for roles in PERMISSIONS.values())
