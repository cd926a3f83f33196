"""Our accounts at certificate authorities, stored in the database."""

from sqlalchemy import delete
from sqlalchemy.exc import IntegrityError

from adoption.certificates.authority_interface import AcmeAccount
from adoption.certificates.key_encryption import KeyLost, Vault
from adoption.certificates.models import AuthorityAccount
from adoption.storage.database import reading, transaction


class StoredAccounts:
    """The store of our account at one authority, by the address of the authority's directory."""

    def __init__(self, directory: str, vault: Vault) -> None:
        self.directory = directory
        self.vault = vault

    def get(self) -> AcmeAccount | None:
        with reading() as session:
            row = session.get(AuthorityAccount, self.directory)
        if row is None:
            return None
        try:
            return AcmeAccount(row.address, self.vault.open(row.private_key))
        except KeyLost:
            return None  # the caller then registers a new account

    def keep(self, account: AcmeAccount) -> AcmeAccount:
        made = AuthorityAccount(
            directory=self.directory, address=account.address, private_key=self.vault.seal(account.key)
        )
        try:
            with transaction() as session:
                session.add(made)
        except IntegrityError:
            if stored := self.get():
                return stored  # another process registered this account, and may have ordered with it already
            with transaction() as session:
                session.merge(made)  # the stored account is useless, because its key is lost
        return account

    def forget(self, address: str) -> None:
        unknown = AuthorityAccount.directory == self.directory, AuthorityAccount.address == address
        with transaction() as session:
            session.execute(delete(AuthorityAccount).where(*unknown))
