"""`python -m regalia.server` is `regalia serve`."""

import typer

from regalia.cli.serve import serve

typer.run(serve)
