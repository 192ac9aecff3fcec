"""The mark of a benchmark on each of its scenarios: which benchmark it is of, and the canary."""

from __future__ import annotations

import json

from earsim_generators.bench.recipe import BenchmarkRecipe


def marked(line: str, recipe: BenchmarkRecipe) -> str:
    """The line of a scenario with the mark; its hash stays what it was.

    Provenance is not part of what decides an episode, and comes last in a line, so the rest of the
    line keeps its bytes.
    """
    data = json.loads(line)
    provenance = data.setdefault("provenance", {})
    provenance["benchmark"] = f"{recipe.name}/{recipe.version}"
    provenance["canary"] = recipe.canary
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
