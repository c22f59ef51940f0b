"""Set-up behind ./play and ./test; needs nothing but Python's standard library.

    a virtual environment in .venv, without pip
    → uv into it, by the pip of the Python that runs this
    → everything in requirements.lock, each file checked against its hash
    → the program itself, editable
    → a stamp that says what was installed, so that the next start skips all of it

`bootstrap.py play …` goes on as `regalia …`, `bootstrap.py test …` as scripts/check.py; `bootstrap.py` alone
stops when all is set up.
"""

import fcntl
import functools
import hashlib
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BIN = VENV / "bin"
LOCK = ROOT / "requirements.lock"
STAMP = VENV / "regalia-stamp"
INPUTS = (LOCK, ROOT / "pyproject.toml", ROOT / "hatch_build.py", Path(__file__).resolve())
UI = (
    ROOT / "web"
)  # the browser pages are built when Regalia is installed, from here, the games' boards and the words
NOT_UI = {"node_modules", "dist", ".vite"}
BUNDLE = ROOT / "src" / "regalia" / "server" / "static" / "index.html"
PACKAGE = ROOT / "src" / "regalia"

# Inside a virtual environment the Python it was made from: ours has no pip, and may be about to be replaced.
PYTHON: str = getattr(sys, "_base_executable", None) or sys.executable

OLDEST_PIP = (22, 3)  # the first that can install into another environment
OFFLINE = re.compile(
    r"dns error|name resolution|name or service not known|network is unreachable|no route to host"
    r"|connection refused|connection reset|tcp connect|failed to establish a new connection|timed out"
    r"|error sending request|cannot connect to proxy",
    re.IGNORECASE,
)


class SetupError(Exception):
    """What is missing and what to do about it, in one line."""


def main(arguments: list[str]) -> None:
    os.environ.setdefault("UV_SYSTEM_CERTS", "1")  # trust what the machine trusts, proxies included
    os.environ.setdefault("NODE_USE_SYSTEM_CA", "1")
    try:
        set_up()
    except SetupError as error:
        sys.exit(f"Set-up stopped: {error}")
    except OSError as error:
        sys.exit(f"Set-up stopped: {error}. Is the disk full, or the folder not yours to write in?")
    match arguments:
        case []:
            return
        case ["play", *rest]:
            run_instead(BIN / "regalia", rest)
        case ["test", *rest]:
            run_instead(BIN / "python", [str(ROOT / "scripts" / "check.py"), *rest])
        case _:
            sys.exit("usage: bootstrap.py [play | test] [argument ...]")


def run_instead(program: Path, arguments: list[str]) -> NoReturn:
    sys.stdout.flush()
    os.execv(program, [str(program), *arguments])  # noqa: S606 - no shell is the point


def set_up() -> None:
    stamp = fingerprint()
    if is_ready(stamp):
        return
    with Path(__file__).open() as turnstile:  # two commands at once: the second waits, then finds all done
        try:
            fcntl.flock(turnstile, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("Another set-up is running here; waiting for it ...")
            fcntl.flock(turnstile, fcntl.LOCK_EX)
        if not is_ready(stamp):
            install(stamp)


def fingerprint() -> str:
    """Changes when anything does that was installed from; the place counts, as scripts in .venv name it."""
    digest = hashlib.sha256(str(ROOT).encode())
    pages = []
    for folder, inner, files in os.walk(UI):
        inner[:] = [name for name in inner if name not in NOT_UI]
        pages += [Path(folder, name) for name in files]
    pages += [path for path in PACKAGE.glob("games/*/web/**/*") if path.is_file()]
    words = [*PACKAGE.glob("locale/*.json"), *PACKAGE.glob("games/*/words/*.json")]
    for path in [*INPUTS, *sorted(pages), *sorted(words)]:
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def is_ready(stamp: str) -> bool:
    try:
        return (
            STAMP.read_text() == stamp
            and (BIN / "python").exists()
            and (BIN / "regalia").exists()
            and BUNDLE.exists()
        )
    except FileNotFoundError:
        return False


def install(stamp: str) -> None:
    start = time.monotonic()
    say("Setting up Regalia in .venv; from nothing this takes a minute or less.")
    STAMP.unlink(missing_ok=True)
    say("1/4 virtual environment")
    make_environment()
    say("2/4 installer (uv)")
    install_uv()
    say("3/4 libraries, as listed in requirements.lock")
    uv_install("--require-hashes", "--requirements", str(LOCK))
    say("4/4 Regalia itself and its browser pages")
    # The tools that build it come from the lock too, not from whatever is newest today.
    uv_install(
        "--no-deps", "--build-constraints", str(LOCK), "--refresh-package", "regalia", "--editable", str(ROOT)
    )
    STAMP.write_text(stamp)
    say(f"Ready in {time.monotonic() - start:.0f} s; the next start skips this.\n")


def make_environment() -> None:
    """Keeps one that works; not a half-made one, one whose Python is gone or one that was made elsewhere."""
    is_new_enough = [str(BIN / "python"), "-c", "import sys; sys.exit(sys.version_info < (3, 11))"]
    try:
        made_here = f" {VENV}\n" in (VENV / "pyvenv.cfg").read_text()
        if made_here and subprocess.run(is_new_enough, capture_output=True, check=False).returncode == 0:
            return
    except OSError:
        pass
    try:
        import venv

        venv.create(VENV, clear=True, symlinks=True, with_pip=False)
    except ImportError as error:
        raise SetupError(
            f"{PYTHON} has no venv module; install it (Debian, Ubuntu: apt install python3-venv)"
        ) from error
    except (subprocess.CalledProcessError, ValueError) as error:
        raise SetupError(
            f"no virtual environment ({error}); try another Python: PYTHON=/path/to/python3 ./play"
        ) from error


def install_uv() -> None:
    """The version that the lock names, checked against its hashes."""
    entry = re.search(r"^uv==(\S+)(.*\\\n)(?:    --hash.*\n?)+", LOCK.read_text(), re.MULTILINE)
    if entry is None:
        raise SetupError("requirements.lock names no uv; get the file back: git checkout requirements.lock")
    if installed_version(BIN / "uv") == entry[1]:
        return
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as listed:
        listed.write(entry[0])
        listed.flush()
        run(
            [
                *pip(),
                "install",
                "--force-reinstall",
                "--no-deps",
                "--require-hashes",
                "--quiet",
                "--retries=2",
                "-r",
                listed.name,
            ],
            environment={**os.environ, "PIP_USER": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1"},
        )


def installed_version(program: Path) -> str:
    try:
        shown = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
    except OSError:
        return ""
    return [*shown.split(), "", ""][1]


def pip() -> list[str]:
    """A pip that installs into .venv: this Python's own, or else the copy that comes with Python."""
    shown = subprocess.run([PYTHON, "-m", "pip", "--version"], capture_output=True, text=True, check=False)
    version = re.match(r"pip (\d+)\.(\d+)", shown.stdout)
    if version and (int(version[1]), int(version[2])) >= OLDEST_PIP:
        return [PYTHON, "-m", "pip", "--python", str(BIN / "python")]
    if importlib.util.find_spec("ensurepip"):
        run([str(BIN / "python"), "-m", "ensurepip"])
        return [str(BIN / "python"), "-m", "pip"]
    raise SetupError(
        f"{PYTHON} has no pip, or one older than 22.3; install it (Debian, Ubuntu: apt install python3-pip)"
    )


@functools.cache
def mirror() -> dict[str, str]:
    """uv does not read pip's settings; a package mirror that pip was told of is meant for uv as well."""
    shown = subprocess.run(
        [PYTHON, "-m", "pip", "config", "list"], capture_output=True, text=True, check=False
    )
    found = re.search(r"^(?:global|install|:env:)\.index-url='(.+)'$", shown.stdout, re.MULTILINE)
    return {"UV_DEFAULT_INDEX": found[1]} if found else {}


def uv_install(*arguments: str) -> None:
    run(
        [
            str(BIN / "uv"),
            "pip",
            "install",
            "--no-progress",
            "--compile-bytecode",
            "--python",
            str(BIN / "python"),
            *arguments,
        ],
        environment={**mirror(), **os.environ, "UV_SYSTEM_PYTHON": "0"},
    )


def run(command: list[str], environment: Mapping[str, str] | None = None) -> None:
    """Run a command, showing what it says as it says it, without the list of every package."""
    told = []
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            told.append(line)
            if not re.match(r" [-+~] |WARNING: (Location|Retrying) ", line):
                say("      " + line.strip())
    if process.returncode == 0:
        return
    if OFFLINE.search("".join(told)):
        raise SetupError(
            "the package index is out of reach; connect to the network (or set HTTPS_PROXY or PIP_INDEX_URL),"
            " then run the same command again"
        )
    raise SetupError(
        f"`{' '.join(command)}` failed, see the lines above; put that right and run the same command again"
    )


def say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except KeyboardInterrupt:
        sys.exit("\nSet-up stopped by you; the same command goes on from there.")
