"""The server: tables, matches that are never lost, seats that keep their secrets.

protocol   every message and every HTTP body, typed; the closed set of error codes
ports      what the server asks of the world: event store, bus, clock, randomness
store      SQLite behind those ports: one writer thread, group commit
table      what is true of a table: the fold of its event log
house      the tables in memory: commands in, events out, validate → commit → acknowledge → broadcast
views      the one place where something is made that a player gets to see
app        the ASGI application: HTTP, sockets, pages
"""
