"""Schemathesis over the API: whatever fits the document, and whatever does not, is answered and never a 5xx."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode

from regalia.server.transport.api import ROUTES
from regalia.server.transport.routes import NoQuery
from server.harness import Guest, Running

CASES = [(GenerationMode.POSITIVE, route.method, route.path) for route in ROUTES]
CASES += [
    (GenerationMode.NEGATIVE, route.method, route.path)
    for route in ROUTES
    if route.body is not None or route.query is not NoQuery  # else nothing can be wrong
]


@pytest.fixture(scope="module")
def described(server: Running) -> Any:
    return schemathesis.openapi.from_url(f"{server.base}/api/openapi.json")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("mode, method, path", CASES, ids=[f"{m.value}-{v}-{p}" for m, v, p in CASES])
def test_no_request_breaks_the_server(
    server: Running, ann: Guest, described: Any, mode: Any, method: str, path: str
) -> None:
    operation = described[path][method]
    table = ann.new_table(seats=["human", "hotseat"])["table"]["id"]
    cookie = "; ".join(f"{c.name}={c.value}" for c in ann.http.cookies.jar)
    strategy = operation.as_strategy(generation_mode=mode)

    @given(case=strategy)
    @settings(
        max_examples=8,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def ask(case: Any) -> None:
        if "table" in case.path_parameters:
            case.path_parameters["table"] = table
        response = case.call(base_url=server.base, headers={"cookie": cookie})
        is_loading = operation.path == "/api/ready" and response.status_code == 503
        assert response.status_code < 500 or is_loading, response.text
        if (
            response.status_code >= 400
            and "application/json" in response.headers.get("content-type", [""])[0]
        ):
            assert response.json()["error"]["code"]

    ask()
