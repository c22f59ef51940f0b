"""Several workers over one store in virtual time, while store, hints, network, processes, clocks and bots fail.

python scripts/simulate.py --seeds 2000
python scripts/simulate.py --seeds 500 --bug ack_before_commit      until it is noticed
python scripts/simulate.py --seeds 1 --from 66 --workers 3

Every seed is a story of its own, always the same one. After it the invariants I0 to I11 are checked
(tests/server/simulation/invariants.py). A seed that fails is made shorter, told, and kept in the list that runs first.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from importlib import import_module
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
runs = import_module("server.simulation.runs")  # the tests are not part of the package
FIGURES = ("events", "acks", "frames", "kills", "conflicts", "taken_back")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--from", type=int, default=0, dest="first")
    parser.add_argument("--workers", type=int, choices=(1, 2, 3), help="by default what each seed draws")
    parser.add_argument("--bug", choices=sorted(runs.BUGS), help="put a mistake into the server")
    parser.add_argument("--off", default="", help="invariants that are not checked, as I1,I5")
    arguments = parser.parse_args()
    off = frozenset(filter(None, arguments.off.split(",")))
    seeds = [(seed, arguments.workers) for seed in range(arguments.first, arguments.first + arguments.seeds)]
    if not arguments.bug:
        seeds = [*runs.kept_seeds(), *seeds]
    totals: Counter[str] = Counter()
    began, failed = time.monotonic(), 0
    for number, (seed, workers) in enumerate(seeds, 1):
        result = runs.run(seed, workers, arguments.bug, off)
        totals.update({name: getattr(result, name) for name in FIGURES})
        totals["seeds"] = number
        if result.violations:
            failed += 1
            print(f"seed {seed}: {len(result.violations)} violations, as {result.violations[0][:300]}")
            if arguments.bug:
                break
            runs.keep(seed, workers)
            for step in runs.shortest(result, workers, arguments.bug):
                print(f"    {step.at:7.3f} s  {step.what} {step.numbers}")
        if number % 100 == 0:
            print(f"{number} seeds, {totals['events']} events, {failed} failed", file=sys.stderr)
    shown = {"seconds": round(time.monotonic() - began, 1), "violating_seeds": failed}
    print(json.dumps({**totals, **shown}))
    if arguments.bug:
        return 0 if failed or off else 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
