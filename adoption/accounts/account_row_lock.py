"""Lock on an account, under which one transaction at a time counts what it has."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption.accounts.models import Account


def lock_account(session: Session, account_id: int) -> None:
    """Lock an account, so that one transaction at a time counts what it has and adds to it.

    Call it before the transaction locks an animal. Rows that refer to the account can still be written.
    """
    session.execute(select(Account.id).where(Account.id == account_id).with_for_update(key_share=True))
