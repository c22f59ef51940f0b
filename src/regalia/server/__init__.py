"""The server: tables, matches that are never lost, seats that keep their secrets.

protocol    every message and every HTTP body, typed; the closed set of error codes
settings    what the operator chooses
ports       what is asked of the world: event store, bus, clock, randomness
model       what is true of a table and what may happen to it: events, their fold, commands, views
runtime     the tables in memory: validate → commit → acknowledge → broadcast; bots and clocks
store       the log on disk: SQLite, one writer thread, group commit; copies and exports
transport   the ASGI application: HTTP, sockets, pages
services    puts it together
"""
