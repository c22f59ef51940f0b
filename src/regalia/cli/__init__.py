"""The `regalia` command.

Each command is a function of a module here: play, replay, rules (and games), machine (bench, warmup), arena, serve
(verify, backup, restore, export), and odds/<game>. Nothing heavy is imported before a command needs it: `regalia
--help` compiles no rule.

Wrong input is one line on stderr and exit code 2.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from io import TextIOWrapper
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from regalia import GAMES, __version__
from regalia.cli import arena, machine, serve
from regalia.cli.play import play
from regalia.cli.replay import replay
from regalia.cli.rules import games, rules
from regalia.cli.speech import Language, chosen, example, spoken, word
from regalia.core.errors import RegaliaError
from regalia.locale import say

WRONG_INPUT = 2


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
        try:
            status = super().main(
                arguments, prog_name or "regalia", complete_var, False, windows_expand_args, **extra
            )
        except RegaliaError as error:
            status = refuse(error.text(spoken(arguments)))
        except typer.TyperException as error:
            status = refuse(error.format_message())
        except typer.Abort:
            status = refuse(say(spoken(arguments), "cli.error.stopped"))
        sys.exit(status if isinstance(status, int) else 0)


class Odds(TyperGroup):
    """A command per game that has a module in odds/, imported when it is called: they are not light."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [game for game in GAMES if find_spec(f"{__name__}.odds.{game}")]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in self.list_commands(ctx):
            return None
        single = typer.Typer(add_completion=False, rich_markup_mode=None)
        single.command(cmd_name)(import_module(f"{__name__}.odds.{cmd_name}").command)
        return get_command(single)


def refuse(why: str) -> int:
    typer.echo("regalia: " + " ".join(why.split()), err=True)
    return WRONG_INPUT


app = typer.Typer(
    cls=Commands,
    help=word("help.regalia"),
    epilog=example("regalia play rose_king --bots random"),
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

        menu.run(chosen(language))
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


add(play, "play rose_king --bots random --lang de")
add(replay, "replay match.txt --to 20")
add(rules, "rules rose_king RK-22")
add(games, "games --json")
add(arena.arena, "arena rose_king --bots random,squire --matches 200 --json", arena.help_of("help"))
add(machine.bench, "bench rose_king_batch --json")
add(machine.warmup, "warmup")
for command in (serve.serve, serve.verify, serve.backup, serve.restore, serve.export):
    app.command()(command)
app.add_typer(odds, name="odds")


def main() -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that lacks a letter is no reason to stop
    app()
