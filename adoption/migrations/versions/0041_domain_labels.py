"""The labels of hosts in reverse, so that all hosts of a registrable domain are found by an index."""

import sqlalchemy as sa
from alembic import op

revision = "0041"
down_revision = "0040"

LABELS = sa.String(254).with_variant(sa.String(254, collation="C"), "postgresql")
"""Sorted by bytes, so that a prefix is a range."""
TABLES = ("domains", "domain_tombstones")


def upgrade():
    for name in TABLES:
        op.add_column(name, sa.Column("labels", LABELS, nullable=False, server_default=""))
        fill(name)
        op.create_index(f"ix_{name}_labels", name, ["labels"])


def fill(name):
    connection = op.get_bind()
    table = sa.table(name, sa.column("host", sa.String), sa.column("labels", sa.String))
    hosts = connection.scalars(sa.select(table.c.host).distinct()).all()
    if hosts:
        labels = sa.bindparam("of_host_labels")
        filling = sa.update(table).where(table.c.host == sa.bindparam("of_host")).values(labels=labels)
        rows = [{"of_host": each, "of_host_labels": in_reverse(each)} for each in hosts]
        connection.execute(filling, rows)


def in_reverse(host):
    return "".join(f"{label}." for label in reversed(host.split(".")))


def downgrade():
    for name in TABLES:
        op.drop_index(f"ix_{name}_labels", table_name=name)
        op.drop_column(name, "labels")
