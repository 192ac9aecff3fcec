"""`python -m benchmarks.design [SIMULATOR ...]`: cost-aware design without a model, as tables.

Every method plays every problem beside the world: profiles of a simulator with three tolerances.
What a model would say is said by the scripted proposer, one rule for all signals; it measures the
signals and the searches, and no model. Same seeds, same table.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from earsim import Engine, open_suite
from earsim.apparatus import euler1d, heat1d
from earsim.apparatus.cost import efficiency, success_rate
from earsim.apparatus.euler1d import reference as tubes
from earsim.apparatus.heat1d import reference as slabs
from earsim.apparatus.ns2d import NS2D, curves
from earsim.apparatus.parameter import defaults
from earsim.planner.laboratory.design_outcome import MOST_REWARD, problems_in
from earsim.planner.laboratory.design_problem import DesignProblem
from earsim.planner.laboratory.design_reference import best, reference, score, store
from earsim_agents.science.design import baselines, caed, optimisers, proposer
from earsim_agents.science.design.caed import ITERATIONS, CaedSettings
from earsim_agents.science.design.search import Search, solve

SIMULATORS = ("heat1d", "euler1d", "ns2d")
SEEDS = 3

Begin = Callable[[DesignProblem, int], Search]


class Method(NamedTuple):
    """A way of designing.

    Attributes:
        name: as the table shows it.
        single: the search with one run; None where there is none.
        multi: the search with several.
        drawn: it depends on a seed.
    """

    name: str
    single: Begin | None
    multi: Begin | None
    drawn: bool = True


class Line(NamedTuple):
    """A method over all problems of a simulator.

    Attributes:
        method: its name.
        turns: ``single`` or ``multi``.
        p: share of problems that succeeded.
        r: mean R0 or Rm.
        clipped: the same with each clipped at 2, as the reward for training is.
        efficiency: mean of those that succeeded; None where none did.
        episodes: problems times seeds.
        runs: mean number of runs.
    """

    method: str
    turns: str
    p: float
    r: float
    clipped: float
    efficiency: float | None
    episodes: int
    runs: float


def problems(simulator: str) -> Iterator[DesignProblem]:
    """The profiles of a simulator with their levels of accuracy, coarse ones first."""
    if simulator == "heat1d":
        for number, settings in enumerate(slabs.profiles()):
            for level, tolerance in slabs.LEVELS.items():
                name = f"profile_{number:02d}/{level}"
                yield DesignProblem.of(heat1d.HEAT1D.id, settings, tolerance, name=name)
    elif simulator == "euler1d":
        for case, settings in tubes.profiles().items():
            for level, tolerance in tubes.LEVELS[case].items():
                yield DesignProblem.of(
                    euler1d.EULER1D.id, settings, tolerance, name=f"{case}/{level}"
                )
    else:
        for shape, reynolds in curves.PROFILES:
            base = {**defaults(NS2D.parameters), "boundary": shape, "reynolds": reynolds}
            for level, tolerance in curves.levels(shape, reynolds).items():
                name = f"{curves.profile(shape, reynolds)}/{level}"
                yield DesignProblem.of(NS2D.id, base, tolerance, name=name)


def scene_problems() -> Iterator[DesignProblem]:
    """The problems that tasks of the shipped laboratories pose, each once."""
    suite = open_suite("laboratory")
    found = {
        problem.key: problem
        for id in suite.ids
        for _, problem in problems_in(Engine(suite.load(id)))
    }
    yield from (found[key] for key in sorted(found))


def methods(iterations: int = ITERATIONS) -> list[Method]:
    """Baselines, then CAED-Agent and its ablation, which proposes so often before a run."""
    found = [
        Method("best known (scan)", _plain(baselines.scan), _plain(baselines.scan), drawn=False),
        Method("brute", _plain(baselines.brute), _plain(baselines.brute), drawn=False),
    ]
    for library, search in (("BO", optimisers.bayes), ("optuna", optimisers.tree_parzen)):
        for objective in ("ratio", "feasible_first"):
            begin = partial(_optimised, search, objective)
            found.append(
                Method(f"{library}, {objective}", partial(begin, "single"), partial(begin, "multi"))
            )
    found.append(Method("direct", *_caed(signal="none")))
    signals = ("surrogate-soft", "surrogate-binary", "noisy", "fixed")
    found += [
        Method(f"caed, {signal}", *_caed(signal=signal, iterations=iterations))
        for signal in signals
    ]
    found.append(Method("caed, surrogate-soft, answer=ratio", *_caed(answer="ratio")))
    found.append(Method("caed, truth (OPRO)", None, _caed(signal="truth")[1]))
    return found


def _plain(search: Callable[[DesignProblem], Search]) -> Begin:
    return lambda problem, seed: search(problem)


def _optimised(
    search: Callable[..., Search], objective: str, turns: str, problem: DesignProblem, seed: int
) -> Search:
    return search(problem, objective=objective, turns=turns, seed=seed)


def _caed(**options: Any) -> tuple[Begin | None, Begin]:
    multi = CaedSettings(turns="multi", **options)
    if multi.signal == "truth":
        return None, lambda problem, seed: caed.caed(problem, multi)
    single = CaedSettings(turns="single", **options)
    return (
        lambda problem, seed: caed.caed(problem, single),
        lambda problem, seed: caed.caed(problem, multi),
    )


def line(method: Method, turns: str, posed: Sequence[DesignProblem], seeds: int) -> Line | None:
    """A method over problems and seeds; None where it does not play so."""
    begin = method.single if turns == "single" else method.multi
    if begin is None:
        return None
    scores, successes, runs = [], [], 0
    for problem in posed:
        against = reference(problem)
        assert against is not None, "problems that doubling cannot solve are left out"
        for seed in range(seeds if method.drawn else 1):
            solved = solve(begin(problem, seed), problem, partial(proposer.propose, seed=seed))
            made = score(problem, solved.runs, against)
            scores.append(made.single if turns == "single" else made.multi)
            successes.append(made.success if turns == "single" else made.any_success)
            runs += made.runs
    mean = sum(scores) / len(scores)
    clipped = sum(min(each, MOST_REWARD) for each in scores) / len(scores)
    return Line(
        method=method.name,
        turns=turns,
        p=success_rate(successes),
        r=mean,
        clipped=clipped,
        efficiency=efficiency(scores),
        episodes=len(scores),
        runs=runs / len(scores),
    )


def optimum(posed: Sequence[DesignProblem]) -> float:
    """Mean R0 of the best designs: what no method can exceed."""
    found = []
    for problem in posed:
        least, against = best(problem), reference(problem)
        assert least is not None, "solved by doubling"
        assert against is not None, "solved by doubling"
        found.append(against.cost / least.cost)
    return sum(found) / len(found)


def main() -> None:
    """Print the tables."""
    options = _options()
    if options.store:
        store(scene_problems())
        return
    stored: dict[str, Any] = {}
    for simulator in options.simulators or SIMULATORS:
        posed = [each for each in problems(simulator) if reference(each) is not None]
        if options.limit:
            posed = posed[:: max(1, len(posed) // options.limit)][: options.limit]
        bound = optimum(posed)
        print(f"\n{simulator}: {len(posed)} problems, best R0 {bound:.3f}\n")
        names = (
            "P0",
            "R0",
            "R0 to 2",
            "of successes",
            "Pm",
            "Rm",
            "Rm to 2",
            "of successes",
            "runs",
        )
        print(f"| method | {' | '.join(names)} |")
        print(f"|---|{'--:|' * len(names)}")
        rows = []
        for method in methods(options.iterations):
            if options.method not in method.name:
                continue
            pair = [line(method, turns, posed, options.seeds) for turns in ("single", "multi")]
            rows += [each._asdict() for each in pair if each is not None]
            print(
                f"| {method.name} | {_cells(pair[0])} | {_cells(pair[1], runs=True)} |", flush=True
            )
        stored[simulator] = {"problems": len(posed), "best": bound, "lines": rows}
    if options.json:
        options.json.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")


def _cells(found: Line | None, *, runs: bool = False) -> str:
    if found is None:
        return " | ".join(["-"] * (5 if runs else 4))
    earned = "-" if found.efficiency is None else f"{found.efficiency:.3f}"
    shown = [f"{found.p:.3f}", f"{found.r:.3f}", f"{found.clipped:.3f}", earned]
    return " | ".join([*shown, f"{found.runs:.1f}"] if runs else shown)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.design", description=__doc__)
    parser.add_argument("simulators", nargs="*", choices=[*SIMULATORS, []], metavar="SIMULATOR")
    parser.add_argument("--seeds", type=int, default=SEEDS, help="of proposer and optimisers")
    parser.add_argument("--method", default="", help="only those with this in their name")
    parser.add_argument(
        "--iterations", type=int, default=ITERATIONS, help="how often CAED-Agent proposes"
    )
    parser.add_argument("--limit", type=int, default=0, help="problems at most, evenly chosen")
    parser.add_argument("--store", action="store_true", help="those of shipped scenes, and stop")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures here")
    return parser.parse_args()


if __name__ == "__main__":
    main()
