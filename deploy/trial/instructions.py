"""The instructions that a trial prints."""

import json
from pathlib import Path

from deploy.trial.daemons import ALONE, Edge

HOST = "adopt.example.org"
INSTALL = {
    "caddy": "On Debian and Ubuntu: apt-get install caddy. Others: https://caddyserver.com/docs/install",
    "pebble": "On Debian and Ubuntu: apt-get install pebble. Others: https://github.com/letsencrypt/pebble/releases",
}
"""How to install each program that a trial needs."""

TEXT = """
Custom domains, on this machine only. Ctrl-C stops everything and deletes it.

1. Open     http://localhost:{port}/sign-in
   Sign in  {email}, password {password}
   Open     http://localhost:{port}/projects/{project}/domains and add {host}
2. Make the record. This trial's DNS server answers from a file; edit it as you like:
     echo '{host} CNAME {target}' >> {records}
3. Press Verify. The certificate comes within seconds, and the page then says that the domain is live.
4. See the site at its own address:
     curl --cacert {root} --connect-to ::{alone}:{https} https://{host}/
   or in a separate Chromium, which does not use DNS for this domain:
     chromium --user-data-dir={folder}/chromium --ignore-certificate-errors \\
       --host-resolver-rules='MAP {host}:80 {alone}:{http}, MAP {host} {alone}:{https}' https://{host}/
5. Delete the record's line and press Verify again, or remove the domain: visitors get an error from then on.

Emails are files in {mail}. For commands in another terminal:
     . {settings}; .venv/bin/homeward domain list --all
"""


def instructions(folder: Path, port: int, edge: Edge, target: str) -> str:
    welcome = json.loads((folder / "instance" / "demo.json").read_text())
    return TEXT.format(
        port=port,
        email=welcome["email"],
        password=welcome["password"],
        project=welcome["project"],
        host=HOST,
        target=target,
        alone=ALONE,
        http=edge.http_port,
        https=edge.https_port,
        folder=folder,
        records=folder / "records.txt",
        root=folder / "root.pem",
        mail=folder / "instance" / "mail",
        settings=folder / "settings.sh",
    )
