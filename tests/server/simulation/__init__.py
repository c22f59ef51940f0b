"""Several workers over one store, in one thread and in a time of their own, while everything breaks that can break.

universe      one time for all, and processes that can be killed and frozen
ports         the store, the hints between workers, the machine's clock and the bots, all with faults
network       sockets and requests between clients and workers, which can be cut, stall or be half open
clients       people with several tabs, and somebody hostile
story         what happens, made from a seed; and the run of it
invariants    what must be true afterwards, I0 to I11
bugs          mistakes that are put into the server to see whether they are noticed
shrinking     a story that fails, made shorter
"""
