"""`regalia config`: what is set by the environment, and what is wrong with it."""

from __future__ import annotations

import os

import typer

from regalia.cli.language import example, speak

config = typer.Typer(
    help="What the environment sets for the server.", no_args_is_help=True, rich_markup_mode=None
)


@config.callback()
def about() -> None:
    """What the environment sets for the server."""


@config.command(epilog=example("regalia config check"))
def check() -> None:
    """Print what `regalia serve` would use, with secrets hidden; one line for each mistake, and exit code 2.

    Example: regalia config check
    """
    from regalia.server import configuration

    mistakes = [*configuration.read_files(os.environ), *configuration.mistakes_in(os.environ)]
    for name, value, source in configuration.effective(os.environ):
        typer.echo(f"{name:26}{value or '-':40} {source}")
    for mistake in mistakes:
        typer.echo(speak(mistake.key, **mistake.values), err=True)
    if mistakes:
        raise typer.Exit(2)
