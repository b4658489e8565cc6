"""What claims.py and the others beside it share: the command line, the lines that are printed, and the table that is kept."""

import argparse
import csv
import os
import sys

from runs import ROOT


def keep(path, order, claim, rows):
    """Replaces what was measured of a claim before."""
    before = []
    if os.path.exists(path):
        with open(path, encoding="utf-8", newline="") as file:
            before = [row for row in csv.DictReader(file) if row["claim"] != claim]
    rows = sorted(before + rows, key=lambda row: order.index(row["claim"].lower()))
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ["claim", "what", "measured", "asked", "holds", "seeds"], restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main(about, claims_of, order, slow, model, table):
    """`claims_of` makes of the options an object with a method for each claim, which yields (what, measured, asked, holds).
    Of those that are `slow` only what is named is measured. `table` is kept for the model the claims are about."""
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
                         "seeds": len(claims.seeds)})
            print(f"{name.upper():4} {'holds' if holds else 'FAILS':6} {what}: {measured} (asked: {asked})", flush=True)
        if not options.quick:
            keep(path, order, name.upper(), rows)
    sys.exit(failed)
