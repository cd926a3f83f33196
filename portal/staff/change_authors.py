"""The signed-in person as the author of changes to animals and applications."""

from adoption.accounts.project_access import ProjectAccess
from adoption.animals.animal_audit import Editor
from adoption.orders.application_audit import StaffMember
from portal.current_user import actor


def current_editor(access: ProjectAccess) -> Editor:
    return Editor(actor(), access.account.id, access.project.id)


def staff_member_of(access: ProjectAccess) -> StaffMember:
    return StaffMember(access.account.id, access.project.id, actor())
