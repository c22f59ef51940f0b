"""OpenAPI 3.1 of the routes, made from their types."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from regalia import __version__
from regalia.server import protocol as wire
from regalia.server.transport.auth import COOKIE
from regalia.server.transport.routes import Route

REFUSALS = {
    "401": "no player, or credentials that are not valid",
    "403": "not allowed: another's seat, not the host, a foreign page",
    "404": "no such thing, or none that you may see",
    "405": "not with this method",
    "409": "it conflicts with what is true now, or a rule refuses",
    "413": "too large",
    "421": "addressed to a name that is not this server's",
    "422": "cannot be read",
    "429": "too many of this kind",
    "503": "the server cannot write just now",
}


def document(routes: list[Route]) -> dict[str, Any]:
    kinds = [
        kind
        for route in routes
        for kind in (route.body, route.response, route.query)
        if kind not in (None, bytes, str)
    ]
    schemas, components = msgspec.json.schema_components(
        [*kinds, wire.ErrorBody], ref_template="#/components/schemas/{name}"
    )
    by_kind = list(zip([*kinds, wire.ErrorBody], schemas, strict=True))

    def schema_of(kind: Any) -> dict[str, Any]:
        return next(schema for known, schema in by_kind if known is kind)

    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = operation(route, schema_of, components)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Regalia", "version": __version__, "license": {"name": "Apache-2.0"}},
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "cookie": {"type": "apiKey", "in": "cookie", "name": COOKIE},
                "token": {"type": "http", "scheme": "bearer"},
            },
        },
    }


def operation(route: Route, schema_of: Any, components: dict[str, Any]) -> dict[str, Any]:
    error = {"content": {"application/json": {"schema": schema_of(wire.ErrorBody)}}}
    content: dict[str, Any] = (
        {"schema": schema_of(route.response)} if route.response not in (bytes, str) else {}
    )
    result: dict[str, Any] = {
        "operationId": f"{route.method.lower()}{re.sub(r'[^a-z]+', '_', route.path.lower())}".rstrip("_"),
        "summary": route.summary,
        "parameters": [*path_parameters(route.path), *query_parameters(route, components)],
        "responses": {
            "200": {"description": "done", "content": {route.media: content}},
            **{status: {"description": words, **error} for status, words in REFUSALS.items()},
        },
    }
    if route.body is not None:
        body = {"application/json": {"schema": schema_of(route.body)}}
        result["requestBody"] = {"required": True, "content": body}
    if route.needs_player:
        result["security"] = [{"cookie": []}, {"token": []}]
    return result


def path_parameters(path: str) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in re.findall(r"{(\w+)}", path)
    ]


def query_parameters(route: Route, components: dict[str, Any]) -> list[dict[str, Any]]:
    declared = components[route.query.__name__]
    return [
        {"name": name, "in": "query", "required": name in declared.get("required", []), "schema": schema}
        for name, schema in declared["properties"].items()
    ]
