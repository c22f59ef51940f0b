"""Logs as one JSON object a line.

Facts are picked where they are logged: ids, numbers and kinds; no seeds, credentials, actions or talk.
"""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "what": record.getMessage(),
        }
        facts = getattr(record, "facts", None)
        if isinstance(facts, dict):
            line.update(facts)
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def set_up(level: str) -> None:
    """To stderr. Quiet about the web server's own chatter."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger("regalia")
    root.handlers[:] = [handler]
    root.propagate = False
    root.setLevel(level.upper())
    for name in ("uvicorn", "uvicorn.error"):
        logging.getLogger(name).handlers[:] = [handler]
        logging.getLogger(name).propagate = False
        logging.getLogger(name).setLevel("WARNING")
