"""The `regalia` command.

Each command is a module of `commands`; `odds` has one of each game that has odds. Nothing heavy is imported before a
command needs it: `regalia --help` compiles no rule.

Wrong input is one line on stderr and exit code 2.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from io import TextIOWrapper
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from regalia import GAMES, __version__
from regalia.cli.arguments import Language
from regalia.cli.commands.admin import admin
from regalia.cli.commands.arena import arena, help_of
from regalia.cli.commands.backup import backup
from regalia.cli.commands.bench import bench
from regalia.cli.commands.check import check
from regalia.cli.commands.config import config
from regalia.cli.commands.export import export
from regalia.cli.commands.games import games
from regalia.cli.commands.lesson import lesson
from regalia.cli.commands.migrate import migrate
from regalia.cli.commands.play import play
from regalia.cli.commands.render import render
from regalia.cli.commands.replay import replay
from regalia.cli.commands.restore import restore
from regalia.cli.commands.review import review
from regalia.cli.commands.rules import rules
from regalia.cli.commands.serve import serve
from regalia.cli.commands.suite import help_of as help_of_suite
from regalia.cli.commands.suite import suite
from regalia.cli.commands.trainer import trainer
from regalia.cli.commands.verify import verify
from regalia.cli.commands.warmup import warmup
from regalia.cli.language import example, language_in, language_of, word
from regalia.core.errors import RegaliaError
from regalia.locale import say

WRONG_INPUT = 2
A_GAME = next(iter(GAMES))  # named in the examples of the help
TRAINED = next((name for name, game in GAMES.items() if game.has_part("study.trainer")), A_GAME)


class Commands(TyperGroup):
    """Tells what is wrong in one line, in the reader's language."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        arguments = sys.argv[1:] if args is None else list(args)
        secrets_from_files(language_in(arguments))
        try:
            status = super().main(
                arguments, prog_name or "regalia", complete_var, False, windows_expand_args, **extra
            )
        except RegaliaError as error:
            status = refuse(error.text(language_in(arguments)))
        except typer.TyperException as error:
            status = refuse(error.format_message())
        except typer.Abort:
            status = refuse(say(language_in(arguments), "cli.error.stopped"))
        sys.exit(status if isinstance(status, int) else 0)


def secrets_from_files(language: str) -> None:
    """REGALIA_DATABASE_FILE instead of REGALIA_DATABASE: read here, before any command looks at its options."""
    if any(name.startswith("REGALIA_") and name.endswith("_FILE") for name in os.environ):
        from regalia.server import configuration

        for mistake in configuration.read_files(os.environ):
            sys.exit(refuse(say(language, mistake.key, **mistake.values)))


class Odds(TyperGroup):
    """A command per game that has cli/odds.py, imported when it is called: they are not light."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [name for name, game in GAMES.items() if game.has_part("cli.odds")]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in self.list_commands(ctx):
            return None
        single = typer.Typer(add_completion=False, rich_markup_mode=None)
        single.command(cmd_name)(GAMES[cmd_name].module("cli.odds").command)
        return get_command(single)


def refuse(why: str) -> int:
    typer.echo("regalia: " + " ".join(why.split()), err=True)
    return WRONG_INPUT


app = typer.Typer(
    cls=Commands,
    help=word("help.regalia"),
    epilog=example(f"regalia play {A_GAME} --bots random"),
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # measured: help in a third of the time
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def start(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help=word("option.version"))] = False,
    language: Language = None,
) -> None:
    if version:
        typer.echo(f"regalia {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is not None:
        return
    if sys.stdin.isatty() and sys.stdout.isatty():
        from regalia.cli import menu

        menu.run(language_of(language))
    else:
        typer.echo(context.get_help())


odds = typer.Typer(cls=Odds, help=word("help.odds"), invoke_without_command=True, rich_markup_mode=None)


@odds.callback()
def list_odds(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def add(command: Callable[..., None], usage: str, words: str | None = None) -> None:
    name = command.__name__
    app.command(name, help=words or word(f"help.{name}"), epilog=example(f"regalia {usage}"))(command)


add(play, f"play {A_GAME} --bots random --lang de")
add(lesson, f"lesson {A_GAME}")
add(trainer, f"trainer {TRAINED}")
add(replay, "replay match.txt --to 20")
add(review, "review match.txt --level glance")
add(render, "render match.txt --ply 20 -o position.png")
add(rules, f"rules {A_GAME}")
add(games, "games --json")
add(arena, f"arena {A_GAME} --bots random,squire --matches 200 --json", help_of("help"))
add(suite, f"suite my_bot.py --game {A_GAME} --deals 20", help_of_suite("help"))
add(bench, f"bench {A_GAME}_search --json")
add(warmup, "warmup")
for command in (serve, verify, check, migrate, backup, restore, export):
    app.command()(command)
app.add_typer(admin, name="admin")
app.add_typer(config, name="config")
app.add_typer(odds, name="odds")


def main() -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that lacks a letter is no reason to stop
    app()
