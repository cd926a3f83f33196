"""The lock of an account's row, which lets only one transaction at a time count the account's data."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption.accounts.models import Account


def lock_account(session: Session, account_id: int) -> None:
    """Lock an account's row, so that only one transaction at a time counts and adds to the account's data.

    Call this before the transaction locks an animal. Other transactions can still write rows that refer to
    the account.
    """
    session.execute(select(Account.id).where(Account.id == account_id).with_for_update(key_share=True))
