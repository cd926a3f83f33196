import re
from pathlib import Path

import pytest

from adoption.errors import SettingRefused
from adoption.settings import NAMES, PREFIX, Settings


def read_settings(folder: Path, **given: str) -> Settings:
    named = {name if name == "PORT" else PREFIX + name: value for name, value in given.items()}
    return Settings.from_environment({f"{PREFIX}INSTANCE": str(folder), **named})


def test_the_defaults_are_a_service_on_one_machine(tmp_path: Path) -> None:
    settings = read_settings(tmp_path)
    assert settings.database_url == f"sqlite:///{tmp_path}/homeward.sqlite3"
    assert settings.quota_url == f"sqlite:///{tmp_path}/quotas.sqlite3"
    assert settings.queue_url == f"sqlite:///{tmp_path}/queue.sqlite3"
    assert settings.mail_url == f"file://{tmp_path}/mail"
    assert settings.base_url == "http://localhost:8000/v1"
    assert (settings.threads, settings.environment) == (1, "development")


def test_the_platform_host_follows_the_port(tmp_path: Path) -> None:
    assert read_settings(tmp_path, PORT="9123").base_url == "http://localhost:9123/v1"


def test_the_secret_key_is_generated_once_and_private(tmp_path: Path) -> None:
    first, second = read_settings(tmp_path), read_settings(tmp_path)
    assert first.secret_key == second.secret_key
    assert len(first.secret_key) >= 32
    assert (tmp_path / "secret_key").stat().st_mode & 0o077 == 0


WRONG = {
    "PORT": ["http", "0", "70000", "8_000"],
    "ENVIRONMENT": ["prod"],
    "WORKERS": ["0", "many", "-1", "1.5"],
    "THREADS": ["0", "65"],
    "KEEP_APPLICATIONS_DAYS": ["0", "-1", "40000", "a year"],
    "PLATFORM_HOST": ["http://homeward.example", "homeward.example/x", "a b", "a..b", "a:99999"],
    "BASE_URL": [
        "homeward.example/v1",
        "https://homeward.example/",
        "ftp://homeward.example/v1",
        "http://[::1/v1",
        "http://homeward example/v1",
        "http://:80/v1",
        "http://homeward.example:port/v1",
        "https://homeward.example/v1?x=1",
    ],
    "STAGING_BASE_URL": ["https://homeward.example/v2"],
    "DATABASE_URL": [
        "mysql://localhost/homeward",
        "sqlite://",
        "postgresql://h:port/x",
        "postgresql://h/x?bad=1",
        "sqlite:///:memory:",
        "sqlite:////srv/a%20b.sqlite3",
    ],
    "QUOTA_URL": [
        "memcached://localhost",
        "redis://localhost:port",
        "redis://h/abc",
        "redis://h/0?socket_timeout=abc",
    ],
    "QUEUE_URL": ["amqp://localhost", "redis://h/abc", "sqlite://"],
    "MAIL_URL": [
        "mail.example",
        "http://mail.example",
        "smtp://",
        "smtp://mail.example:port",
        "smtp://mail.example:0",
        "smtp://sam@mail.example",
        "smtp://mail.example/box",
        "smtps://mail.example?tls=no",
        "file://host/folder",
        "file:///",
    ],
    "EDGE_ADDRESSES": ["edge.example", "203.0.113.9/24", "203.0.113.9:443", "0.0.0.0", "fe80::1"],
    "DNS_SERVERS": ["ns.example", "127.0.0.1:0", "127.0.0.1:70000", "::1:53", "[::1", "1.1.1.1:53;1.0.0.1"],
    "CNAME_TARGET": ["https://sites.homeward.example", "sites.homeward.example:443", "a b"],
    "CAA_ISSUERS": ["letsencrypt.org,", "https://letsencrypt.org", "a b"],
    "ACME_DIRECTORY": [
        "acme.example/directory",
        "ftp://acme.example/",
        "https://",
        "https://acme.example:x/",
    ],
    "ACME_CA_BUNDLE": ["/nowhere/at/all.pem", "/", __file__],
    "ACME_DNS_HOOK": ["/nowhere/at/all set", "no-such-program", "sh 'x"],
    "ACME_DNS_ZONE": ["_acme.homeward.example", "a", "a b.example", "-a.example"],  # the first without a hook
    "PLATFORM_CERTIFICATE": ["yes", "service"],  # the latter without an authority
    "ACME_EMAIL": ["nobody", "a@b c", "a@b,c@d"],
    "ACME_EAB_KEY_ID": ["kid-1"],  # alone
    "ACME_EAB_HMAC_KEY": ["c2hvcnQ="],
    "OPERATOR_EMAIL": ["nobody", "a@b c", "a@b,c@d"],
    "CERTIFICATE_KEY": ["short", "not a key", "c2hvcnQ="],
    "INTERNAL_LISTEN": ["127.0.0.1", "localhost:8001", "127.0.0.1:0", "8001"],
    "EDGE": ["https://edge.example", "edge.example:port", "a b"],
    "TRUSTED_PROXIES": ["10.0.0.0/99", "proxy"],
    "MEDIA_URL": [
        "/proc/homeward",
        "gs://photos",
        "s3://",
        "s3://x",
        "s3://a bucket",
        "http://x/y",
        "file://host/x",
    ],
    "SECRET_KEY": ["short"],
    "INSTANCE": ["/proc/homeward", "~nosuch/x", "/srv/what?", "/srv/no#1", "/srv/a%20b"],
}


@pytest.mark.parametrize(("name", "value"), [(n, value) for n, values in WRONG.items() for value in values])
def test_an_invalid_setting_is_an_error_that_names_it(tmp_path: Path, name: str, value: str) -> None:
    with pytest.raises(SettingRefused) as refused:
        read_settings(tmp_path, **{name: value})
    sentence = refused.value.sentence
    assert name in sentence
    assert sentence.endswith(".")
    assert "\n" not in sentence


def test_every_setting_has_an_invalid_value_in_the_table() -> None:
    assert set(NAMES) | {"PORT"} == set(WRONG)


def test_production_requires_a_secret_key(tmp_path: Path) -> None:
    with pytest.raises(SettingRefused, match="SECRET_KEY is required"):
        read_settings(tmp_path, ENVIRONMENT="production", PLATFORM_HOST="homeward.example")


def test_production_requires_a_host(tmp_path: Path) -> None:
    with pytest.raises(SettingRefused, match="PLATFORM_HOST, such as"):
        read_settings(tmp_path, ENVIRONMENT="production", SECRET_KEY="x" * 32)


def test_an_api_key_in_the_environment_is_not_a_setting(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    read_settings(tmp_path, KEY="hw_x")
    assert capsys.readouterr().err == ""


def test_a_truncated_secret_key_is_rejected(tmp_path: Path) -> None:
    (tmp_path / "secret_key").write_text("")
    with pytest.raises(SettingRefused, match="secret_key is too short"):
        read_settings(tmp_path)


def test_a_relative_path_is_resolved_against_one_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    settings = read_settings(tmp_path, DATABASE_URL="sqlite:///short.db", QUOTA_URL="sqlite:///quotas.db")
    assert settings.database_url == f"sqlite:///{tmp_path}/short.db"
    assert settings.quota_url == f"sqlite:///{tmp_path}/quotas.db"


def test_the_default_instance_folder_is_in_the_checkout(monkeypatch: pytest.MonkeyPatch, root: Path) -> None:
    monkeypatch.chdir("/")
    assert Settings.from_environment({}).instance == root / "instance"


def test_the_instance_folder_is_private(tmp_path: Path) -> None:
    assert read_settings(tmp_path / "new").instance.stat().st_mode & 0o077 == 0


def test_a_password_in_an_invalid_url_is_not_in_the_error(tmp_path: Path) -> None:
    with pytest.raises(SettingRefused) as refused:
        read_settings(tmp_path, DATABASE_URL="mysql://sam:hunter2@localhost/homeward")
    assert "hunter2" not in refused.value.sentence


@pytest.mark.parametrize(
    "name", ["SECRET_KEY", "CERTIFICATE_KEY", "ACME_EAB_HMAC_KEY", "MAIL_URL", "QUEUE_URL"]
)
def test_an_invalid_secret_is_not_in_the_error_or_its_cause(tmp_path: Path, name: str) -> None:
    with pytest.raises(SettingRefused) as refused:
        read_settings(tmp_path, **{name: "hunter2"})
    assert name in refused.value.sentence
    assert "hunter2" not in f"{refused.value} {refused.value.__cause__}"


def test_of_two_invalid_settings_the_first_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingRefused, match=r"^HOMEWARD_MAIL_URL must be [^\n]+\.$"):
        read_settings(tmp_path, OPERATOR_EMAIL="nobody", MAIL_URL="mail.example")


@pytest.mark.parametrize("name", ["DATABASE_URL", "QUOTA_URL", "QUEUE_URL"])
def test_a_folder_that_a_url_cannot_express_is_rejected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    here = tmp_path / "a%20b"
    here.mkdir()
    monkeypatch.chdir(here)
    with pytest.raises(
        SettingRefused, match=f"{PREFIX}{name} must be .* whose absolute path contains none of .*%"
    ):
        read_settings(tmp_path, **{name: "sqlite:///homeward.sqlite3"})


@pytest.mark.parametrize(
    ("misspelt", "right"),
    [("DATABASE_URI", "HOMEWARD_DATABASE_URL"), ("Workers", "HOMEWARD_WORKERS"), ("PORT", "PORT")],
)
def test_a_misspelt_setting_is_an_error_with_the_right_name(
    tmp_path: Path, misspelt: str, right: str
) -> None:
    with pytest.raises(SettingRefused, match=f"Did you mean {re.escape(right)}\\?"):
        Settings.from_environment({f"{PREFIX}INSTANCE": str(tmp_path), PREFIX + misspelt: "2"})


def test_a_setting_of_another_version_is_ignored_with_a_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    read_settings(tmp_path, METRICS_FROM="x")
    assert (
        capsys.readouterr().err == "HOMEWARD_METRICS_FROM is not a setting of this version; it is ignored.\n"
    )


def test_the_certificate_key_is_generated_if_needed(tmp_path: Path) -> None:
    assert read_settings(tmp_path).certificate_keys == ()
    found = {"ACME_DIRECTORY": "https://acme.example/directory"}
    first, second = (read_settings(tmp_path, **found) for _ in range(2))
    assert first.certificate_keys == second.certificate_keys
    assert (tmp_path / "certificate_key").stat().st_mode & 0o077 == 0
    both = ",".join([*first.certificate_keys, "A" * 43 + "="])
    assert len(read_settings(tmp_path, **found, CERTIFICATE_KEY=both).certificate_keys) == 2


def test_production_requires_a_certificate_key(tmp_path: Path) -> None:
    needed = {"ENVIRONMENT": "production", "SECRET_KEY": "s" * 40, "PLATFORM_HOST": "homeward.example"}
    assert read_settings(tmp_path, **needed).acme_directory == ""
    with pytest.raises(SettingRefused, match="CERTIFICATE_KEY is required"):
        read_settings(tmp_path, **needed, ACME_DIRECTORY="https://acme.example/directory")


def test_an_external_account_key_is_read_in_both_base64_alphabets(tmp_path: Path) -> None:
    account = {"ACME_EAB_KEY_ID": "kid-1", "ACME_EAB_HMAC_KEY": "+/" + "A" * 41 + "="}
    read_in = read_settings(tmp_path, **account).acme_external_account
    assert read_in == ("kid-1", "-_" + "A" * 41)
    for wrong in ("too$hort" * 4, "c2hvcnQ"):
        with pytest.raises(SettingRefused) as refused:
            read_settings(tmp_path, **account | {"ACME_EAB_HMAC_KEY": wrong})
        assert "ACME_EAB_HMAC_KEY must be the HMAC key" in refused.value.sentence
        assert wrong not in refused.value.sentence
    with pytest.raises(SettingRefused, match="must be set together"):
        read_settings(tmp_path, ACME_EAB_HMAC_KEY="A" * 43)


def test_the_edge_and_its_listener_have_ports(tmp_path: Path) -> None:
    settings = read_settings(tmp_path, PORT="9000")
    assert (settings.internal_listen, settings.edge) == (("127.0.0.1", 9001), None)
    found = read_settings(tmp_path, INTERNAL_LISTEN="10.0.0.2:5001", EDGE="Edge.example")
    assert (found.internal_listen, found.edge) == (("10.0.0.2", 5001), ("edge.example", 443))
    assert read_settings(tmp_path, EDGE="[::1]:8443").edge == ("::1", 8443)


def test_domains_use_the_platform_host_and_the_system_resolvers(tmp_path: Path) -> None:
    settings = read_settings(tmp_path, PLATFORM_HOST="Homeward.example:8443")
    assert (settings.cname_target, settings.dns_servers) == ("homeward.example", ())
    assert settings.caa_issuers == ("letsencrypt.org",)
    found = read_settings(
        tmp_path, DNS_SERVERS="127.0.0.1:5053, [::1]:53,1.1.1.1", CAA_ISSUERS="A.example, b.example"
    )
    assert found.dns_servers == (("127.0.0.1", 5053), ("::1", 53), ("1.1.1.1", 53))
    assert found.caa_issuers == ("a.example", "b.example")
    assert read_settings(tmp_path, EDGE_ADDRESSES="2001:DB8::9, 203.0.113.9,203.0.113.9").edge_addresses == (
        "203.0.113.9",
        "2001:db8::9",
    )


def test_the_dns_hook_is_split_into_arguments(tmp_path: Path) -> None:
    assert read_settings(tmp_path).acme_dns_zone == ""
    settings = read_settings(tmp_path, ACME_DNS_HOOK="sh -c 'a b'", PLATFORM_HOST="homeward.example:8443")
    assert settings.acme_dns_hook == ("sh", "-c", "a b")
    assert settings.acme_dns_zone == "_acme.homeward.example"
    assert (
        read_settings(tmp_path, ACME_DNS_HOOK="sh", ACME_DNS_ZONE="X_1.example.").acme_dns_zone
        == "x_1.example"
    )
