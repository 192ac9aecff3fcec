"""How close the proved lower bounds of a suite's plans are to their lengths.

`python -m docs.figures.bounds SUITE` prints, by family or category, how many plans there are, the
median of bound over length, and how many plans are as short as their bound.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import median

from earsim import open_suite
from earsim.certificates.location import places_to_read
from earsim.schema.certificate import Certificate
from earsim.schema.files.json_text import parse_json
from earsim.schema.files.load import validated


def ratios(suite: str) -> Mapping[str, Sequence[float]]:
    """Bound over length of every plan that is certified, by family or category."""
    opened = open_suite(suite)
    found: dict[str, list[float]] = defaultdict(list)
    for path in places_to_read(opened, suite):
        for line in path.read_text("utf-8").splitlines() if path.exists() else ():
            certificate = validated(parse_json(line, str(path)), Certificate)
            solution = certificate.solution
            if solution.plan and solution.bound is not None:
                provenance = opened.load(certificate.scenario_id).provenance
                label = str(provenance.get("family", certificate.category.value))
                found[label].append(solution.bound / len(solution.plan))
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("suite", help="name, folder or file")
    by_label = ratios(parser.parse_args().suite)
    rows = {**by_label, "all": [each for found in by_label.values() for each in found]}
    for label, found in rows.items():
        at_bound = sum(each == 1 for each in found)
        told = f"{label}: {len(found)} plans, {median(found):.2f}, {at_bound} at their bound"
        sys.stdout.write(f"{told}\n")


if __name__ == "__main__":
    main()
