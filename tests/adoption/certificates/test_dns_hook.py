"""The operator's DNS hook as a real command."""

import sys
from pathlib import Path

import pytest

from adoption.certificates.dns_challenges.hook import DnsHook, HookFailed

NAME, VALUE = "a1._acme.homeward.example", "-dQw4w9WgXcQ_"


def script(folder: Path, text: str) -> str:
    made = folder / "hook"
    made.write_text(f"#!{sys.executable}\n{text}\n")
    made.chmod(0o700)
    return str(made)


def test_the_hook_gets_unchanged_arguments_and_no_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOMEWARD_SECRET_KEY", "secret")
    monkeypatch.setenv("DNS_TOKEN", "theirs")
    arguments = tmp_path / "arguments"
    text = (
        f"import json, os, sys; json.dump([sys.argv[1:], sorted(os.environ)], open({str(arguments)!r}, 'w'))"
    )
    hook = DnsHook([script(tmp_path, text), "--zone=x; echo $HOME"])
    for change, verb in ((hook.set, "set"), (hook.remove, "remove")):
        change(NAME, VALUE)
        assert f'["--zone=x; echo $HOME", "{verb}", "{NAME}", "{VALUE}"]' in arguments.read_text()
    assert "DNS_TOKEN" in arguments.read_text()
    assert "HOMEWARD" not in arguments.read_text()


FAILING = {
    "print('no\\x1b[31m such\\nzone'); exit(3)": "ended with code 3 (set {}): no�[31m such zone",
    "print('x' * 5000); exit(1)": "ended with code 1 (set {}): …xxx",
    "raise SystemExit(1)": "ended with code 1 (set {}): no output",
    "import time; time.sleep(600)": "did not end within 0.3 seconds (set {})",
    # A process that the hook started keeps the hook's output open.
    "import subprocess; subprocess.Popen(['sleep', '99'])": "did not end within 0.3 seconds (set {})",
}


@pytest.mark.parametrize(("text", "why"), FAILING.items())
def test_a_failing_hook_is_an_error_with_its_output(tmp_path: Path, text: str, why: str) -> None:
    seconds = 0.3 if "0.3" in why else 20
    with pytest.raises(HookFailed) as failed:
        DnsHook([script(tmp_path, text)], seconds).set(NAME, VALUE)
    assert str(failed.value).startswith(f"The hook {why.format(f'{NAME} {VALUE}')}")
    assert len(str(failed.value)) < 1_200


def test_a_missing_hook_is_an_error() -> None:
    with pytest.raises(HookFailed, match=r"could not be started .*: No such file"):
        DnsHook(["/nowhere"]).set(NAME, VALUE)


def test_a_hook_that_times_out_is_run_less_often(tmp_path: Path) -> None:
    runs, ends = tmp_path / "runs", tmp_path / "ends"
    runs.touch()
    program = tmp_path / "hook"
    program.write_text(f"#!/bin/sh\necho >> {runs}\ntest -e {ends} || exec sleep 600\n")
    program.chmod(0o700)
    now = 0.0
    hook = DnsHook([str(program)], 0.5, lambda: now)
    for number, rest in enumerate((120, 240, 480, 960, 1_920, 3_600, 3_600), start=1):
        with pytest.raises(HookFailed, match="did not end within"):
            hook.set(NAME, VALUE)
        now += rest - 1
        with pytest.raises(HookFailed, match="The service runs it again in 1 min"):
            hook.set(NAME, VALUE)
        assert runs.read_text() == "\n" * number
        now += 1
    ends.touch()
    hook.set(NAME, VALUE)
    ends.unlink()
    for match in ("did not end within", "The service runs it again in 2 min"):
        with pytest.raises(HookFailed, match=match):
            hook.set(NAME, VALUE)
