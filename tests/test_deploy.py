"""What an operator takes from `deploy/`: read by rules of our own, and in long tests by the tools themselves."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import platformdirs
import pytest
import yaml

from regalia.server.configuration import FILE, KNOWN

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
HIDDEN_PATHS = ("/api/metrics", "/api/live", "/api/ready")
PACKAGES = {
    "nginx": ["nginx"],
    "caddy": ["caddy"],
    "haproxy": ["haproxy", "liblua5.3-0", "libopentracing-c-wrapper0", "libopentracing1"],
}


def text_of(name: str) -> str:
    return (DEPLOY / name).read_text("utf-8")


def variables_in(text: str) -> set[str]:
    return set(re.findall(r"REGALIA_[A-Z_]+", text))


@pytest.mark.parametrize("name", ["Dockerfile", "compose.yaml", "regalia.service"])
def test_every_variable_is_one_that_the_server_reads(name: str) -> None:
    known = set(KNOWN) | {variable + FILE for variable in KNOWN}
    assert variables_in(text_of(name)) - known == set()


def test_the_image_runs_as_nobody_and_by_no_shell() -> None:
    lines = re.sub(r"\\\n\s*", "", text_of("Dockerfile")).splitlines()
    orders = [line.split(maxsplit=1) for line in lines if line and not line.startswith("#")]
    by_name = dict(orders)
    assert by_name["USER"] == "10001"
    assert by_name["STOPSIGNAL"] == "SIGTERM"
    assert json.loads(by_name["CMD"])[:2] == ["regalia", "serve"]
    health = json.loads(by_name["HEALTHCHECK"].partition("CMD ")[2])
    compile(health[2], "health", "exec")
    assert "/api/ready" in health[2]
    images = [rest.split()[0] for name, rest in orders if name == "FROM"]
    assert all(re.fullmatch(r"[a-z]+:3\.11-slim-bookworm(@sha256:[0-9a-f]{64})?", image) for image in images)
    assert not any(name == "ADD" for name, _ in orders)
    assert any("--require-hashes" in rest for _, rest in orders)
    after_user = orders[[name for name, _ in orders].index("USER") :]
    assert all(rest.startswith("[") for name, rest in after_user if name in ("RUN", "CMD"))


def test_the_compose_file_names_only_what_it_has() -> None:
    composed = yaml.safe_load(text_of("compose.yaml"))
    services = composed["services"]
    assert set(services) == {"database", "regalia", "caddy"}
    for service in services.values():
        assert "image" in service or "build" in service
        assert not str(service.get("image", "")).endswith((":latest", "postgres", "caddy"))
        assert set(service.get("depends_on", [])) <= set(services)
        assert set(service.get("secrets", [])) <= set(composed["secrets"])
        named = [volume.partition(":")[0] for volume in service.get("volumes", [])]
        assert {name for name in named if not name.startswith(".")} <= set(composed["volumes"])
    assert services["regalia"]["read_only"]
    assert "POSTGRES_PASSWORD" not in services["database"]["environment"]


@pytest.mark.parametrize("name", ["Caddyfile", "nginx.conf", "haproxy.cfg"])
def test_a_proxy_keeps_figures_inside_and_waits_long_enough(name: str) -> None:
    text = text_of(name)
    assert all(path in text for path in HIDDEN_PATHS)
    assert "75s" in text
    assert re.search("least_?conn", text)


def test_the_unit_is_closed_as_far_as_it_can_be(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("there is no systemd-analyze")
    command = ["systemd-analyze", "security", "--offline=true", str(DEPLOY / "regalia.service")]
    said = subprocess.run(command, capture_output=True, text=True).stdout
    exposure = re.search(r"exposure level for regalia.service: ([0-9.]+)", said)
    assert exposure is not None, said
    assert float(exposure[1]) <= 2.0
    unit = tmp_path / "regalia.service"
    unit.write_text(text_of("regalia.service").replace("/opt/regalia/bin/regalia", "/bin/true"), "utf-8")
    verified = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True)
    assert "regalia.service" not in verified.stderr, verified.stderr


# --- The tools themselves ---


def unpacked(name: str) -> tuple[Path, dict[str, str]]:
    """The program of a Debian package, fetched once and unpacked in the cache, and the environment it needs."""
    folder = Path(platformdirs.user_cache_dir("regalia", appauthor=False)) / "debian" / name
    program = next(
        (
            folder / "usr" / place / name
            for place in ("sbin", "bin")
            if (folder / "usr" / place / name).exists()
        ),
        None,
    )
    if program is None:
        if shutil.which("apt-get") is None or shutil.which("dpkg") is None:
            pytest.skip("this is no Debian")
        folder.mkdir(parents=True, exist_ok=True)
        fetched = subprocess.run(
            ["apt-get", "download", *PACKAGES[name]], cwd=folder, capture_output=True, text=True
        )
        if fetched.returncode:
            pytest.skip(f"the package of {name} cannot be fetched")
        for package in folder.glob("*.deb"):
            subprocess.run(["dpkg", "-x", str(package), str(folder)], check=True)
        program = next(
            folder / "usr" / place / name
            for place in ("sbin", "bin")
            if (folder / "usr" / place / name).exists()
        )
    libraries = ":".join(str(path) for path in folder.glob("usr/lib/*") if path.is_dir())
    return program, {**os.environ, "LD_LIBRARY_PATH": libraries, "HOME": str(folder)}


def said_by(command: list[str], environment: dict[str, str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


@pytest.mark.long
def test_nginx_takes_its_sample(tmp_path: Path) -> None:
    program, environment = unpacked("nginx")
    whole = tmp_path / "whole.conf"
    inside = text_of("nginx.conf")
    places = "".join(
        f"{kind}_temp_path {tmp_path}/{kind};"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    whole.write_text(
        f"pid {tmp_path}/pid; error_log stderr; events {{}} http {{ access_log off; {places} {inside} }}",
        "utf-8",
    )
    said_by([str(program), "-t", "-p", str(tmp_path), "-c", str(whole)], environment)


@pytest.mark.long
def test_caddy_takes_its_sample() -> None:
    program, environment = unpacked("caddy")
    said_by(
        [str(program), "validate", "--adapter", "caddyfile", "--config", str(DEPLOY / "Caddyfile")],
        environment,
    )


@pytest.mark.long
def test_haproxy_takes_its_sample() -> None:
    program, environment = unpacked("haproxy")
    said_by([str(program), "-c", "-f", str(DEPLOY / "haproxy.cfg")], environment)


# --- The command ---


def config_check(**variables: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("REGALIA_")}
    return subprocess.run(
        [sys.executable, "-m", "regalia.cli", "config", "check"],
        env={**clean, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", **variables},
        capture_output=True,
        text=True,
    )


def test_what_is_set_is_shown_without_secrets(tmp_path: Path) -> None:
    secret = tmp_path / "url"
    secret.write_text("postgresql://regalia:hush@host/regalia\n", "utf-8")
    done = config_check(
        REGALIA_DATABASE_FILE=str(secret), REGALIA_WORKERS="2", REGALIA_TRUSTED_PROXIES="10.0.0.0/8,::1"
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "hush" not in done.stdout
    assert re.search(r"REGALIA_DATABASE +postgresql://regalia:\(hidden\)@host/regalia +file", done.stdout)
    assert re.search(r"REGALIA_WORKERS +2 +environment", done.stdout)
    assert re.search(r"REGALIA_PORT +8642 +default", done.stdout)


def test_every_mistake_is_one_line(tmp_path: Path) -> None:
    done = config_check(
        REGALIA_DATABSE="x",
        REGALIA_WORKERS="many",
        REGALIA_TRUSTED_PROXIES="10.0.0.256",
        REGALIA_LOG="loud",
        REGALIA_PUBLIC="play.example.org",
        REGALIA_PORT="70000",
    )
    assert done.returncode == 2
    lines = done.stderr.strip().splitlines()
    assert [line.split()[0] for line in lines] == [
        "REGALIA_DATABSE", "REGALIA_PORT", "REGALIA_WORKERS", "REGALIA_PUBLIC", "REGALIA_TRUSTED_PROXIES", "REGALIA_LOG",
    ]  # fmt: skip
    several = config_check(REGALIA_WORKERS="2")
    assert several.returncode == 2
    assert "postgresql://" in several.stderr


def test_a_secret_that_cannot_be_read_or_is_there_twice_is_told_in_one_line(tmp_path: Path) -> None:
    absent = config_check(REGALIA_DATABASE_FILE=str(tmp_path / "nothing"))
    assert (absent.returncode, absent.stderr.count("\n")) == (2, 1)
    assert "REGALIA_DATABASE_FILE" in absent.stderr
    there = tmp_path / "there"
    there.write_text("x", "utf-8")
    twice = config_check(REGALIA_DATABASE_FILE=str(there), REGALIA_DATABASE="y")
    assert (twice.returncode, twice.stderr.count("\n")) == (2, 1)
    assert "REGALIA_DATABASE_FILE" in twice.stderr
