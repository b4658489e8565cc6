"""What claims.py and the others beside it share: the command line, the lines that are printed, and the table that is kept."""

import argparse
import csv
import os
import sys

from runs import ROOT, digest, scenes_of

COLUMNS = ["claim", "what", "measured", "asked", "holds", "bound_by", "seeds"]


def same_bytes(folder, model, threads, seconds):
    """Lines about all scenes of a folder: the same bytes from any number of threads. `seconds` says how long a scene is run."""
    for scene in scenes_of(folder):
        name = scene.split("/")[1]
        digests = {digest(scene, model, count, seconds(name)) for count in threads}
        counts = f"{threads[0]} to {threads[-1]}" if len(threads) == threads[-1] else " and ".join(", ".join(map(str, threads)).rsplit(", ", 1))
        yield f"{name}: digests with {counts} threads", f"{len(digests)}", "1", len(digests) == 1


def bound_by(bounds, claim, what):
    """Whose bound it is: the first of the claim's [(part of `what`, whose)] that fits, or its only one."""
    whose = bounds[claim.lower()]
    return whose if isinstance(whose, str) else next(by for part, by in whose if part in what)


def keep(path, order, claim, rows):
    """Replaces what was measured of a claim before."""
    before = []
    if os.path.exists(path):
        with open(path, encoding="utf-8", newline="") as file:
            before = [row for row in csv.DictReader(file) if row["claim"] != claim]
    rows = sorted(before + rows, key=lambda row: order.index(row["claim"].lower()))
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main(about, claims_of, order, slow, model, table, bounds):
    """`claims_of` makes of the options an object with a method for each claim, which yields (what, measured, asked, holds).
    Of those that are `slow` only what is named is measured. `table` is kept for the model the claims are about. `bounds` says whose
    each bound is: "paper: ..." is written there, "data: ..." was measured by others, "ours: ..." is our measure of what is said there,
    "ours" alone a promise of our own."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="less of everything; nothing is kept")
    parser.add_argument("--seeds", type=int, help="with how many seeds scenes are run where that matters")
    parser.add_argument("--model", default=model)
    parser.add_argument("claim", nargs="*", help="default: all of them")
    options = parser.parse_args()
    claims = claims_of(options)
    names = [claim.lower() for claim in options.claim] or [claim for claim in order if claim not in slow]
    path = os.path.join(ROOT, "validate", "results", table + (".csv" if options.model == model else f"-of-{options.model}.csv"))
    failed = False
    for name in names:
        if name not in order:
            parser.error(f"{name} is not measured here")
        rows = []
        for what, measured, asked, holds in getattr(claims, name)():
            failed = failed or not holds
            rows.append({"claim": name.upper(), "what": what, "measured": measured, "asked": asked, "holds": "yes" if holds else "NO",
                         "bound_by": bound_by(bounds, name, what), "seeds": len(claims.seeds)})
            print(f"{name.upper():4} {'holds' if holds else 'FAILS':6} {what}: {measured} (asked: {asked})", flush=True)
        if not options.quick:
            keep(path, order, name.upper(), rows)
    sys.exit(failed)
