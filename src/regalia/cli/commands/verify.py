"""`regalia verify`: whether the dice of a match were what was promised."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from regalia.cli.arguments import AsJson
from regalia.cli.language import fail, speak


def verify(
    file: Annotated[Path, typer.Argument(help="A proof, as the result page gives it.")],
    commitment: Annotated[
        str | None, typer.Option(help="The fingerprint that you noted before the match.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check that the dice of a finished match follow from its seeds; say whether the server could choose them.

    Example: regalia verify proof.json
    """
    import msgspec

    from regalia.server.model.dice import ProofError
    from regalia.server.model.dice import verify as check
    from regalia.server.protocol import Proof

    try:
        proof = msgspec.json.decode(file.read_bytes(), type=Proof)
        verified = check(proof, commitment)
    except OSError:
        fail("server.cli.no_file", path=file)
    except (ProofError, msgspec.DecodeError) as error:
        if as_json:
            typer.echo(json.dumps({"ok": False, "why": str(error)}))
            raise typer.Exit(2) from error
        fail("server.cli.not_verified", why=error)
    if as_json:
        shown = {"table": proof.table, "commitment": proof.commitment, **asdict(verified)}
        typer.echo(json.dumps({"ok": True, **shown}))
        return
    typer.echo(speak("server.cli.verified", draws=verified.draws))
    if verified.is_protected:
        typer.echo(speak("server.cli.verified.protected", commitment=proof.commitment))
    elif verified.format == 1:
        typer.echo(speak("server.cli.verified.format1"))
    elif verified.unprotected:
        seats = ", ".join(map(str, verified.unprotected))
        typer.echo(speak("server.cli.verified.unprotected", seats=seats))
    else:
        typer.echo(speak("server.cli.verified.bots"))
