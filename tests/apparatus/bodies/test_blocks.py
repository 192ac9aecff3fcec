"""Block graphs against the rig `maglev/1`, whose numbers come from a matrix exponential."""

from __future__ import annotations

import pytest

from earsim.apparatus.bodies.library.blocks import BlockGraph, GraphError
from earsim.apparatus.maglev import MAGLEV
from earsim.apparatus.parameter import defaults

control = pytest.importorskip("control")


def loop(*, derivative_s: float = 1e-4, **gains: float) -> BlockGraph:
    """The rig's loop: a PID controller around lags of 0.5, 1 and 2 s."""
    graph = BlockGraph()
    graph.add("r", "input", xy=(0, 0))
    graph.add("e", "sum", xy=(1, 0))
    graph.add("c", "pid", xy=(2, 0), Tf=derivative_s, **gains)
    before = "c"
    for number, constant in enumerate((0.5, 1.0, 2.0), start=1):
        graph.add(f"x{number}", "lag", xy=(2 + number, 0), T=constant)
        graph.connect(before, f"x{number}")
        before = f"x{number}"
    graph.connect("r", "e")
    graph.connect("e", "c")
    graph.connect("x3", "e", sign=-1)
    return graph


@pytest.mark.parametrize(
    ("gains", "within"),
    [
        ({"Kp": 5.0}, 1e-9),
        ({"Kp": 2.0, "Ki": 0.5}, 1e-9),
        ({"Kp": 2.818, "Ki": 0.8, "Kd": 1.886}, 2e-4),  # the rig's derivative has no lag
    ],
)
def test_the_loop_answers_as_the_rig_does(gains: dict[str, float], within: float) -> None:
    topology = {1: "p", 2: "pi", 3: "pid"}[len(gains)]
    settings = {**defaults(MAGLEV.parameters), **gains, "topology": topology}
    samples = MAGLEV.advance(MAGLEV.start(settings), 100.0).samples
    place = [channel.name for channel in MAGLEV.channels_of(settings)].index("y")
    times = [sample.t for sample in samples]
    found = control.step_response(loop(**gains).system("r", "x3"), times).outputs.squeeze()
    assert found == pytest.approx([s.values[place] for s in samples], abs=within)


def test_a_signal_inside_is_a_system_too() -> None:
    error = loop(Kp=5.0).system("r", "e")
    assert control.dcgain(error) == pytest.approx(1 / 6)


def test_two_inputs_add_up() -> None:
    graph = loop(Kp=5.0)
    graph.disconnect("x2", "x3")
    graph.add("d", "input")
    graph.add("s", "sum")
    for source, target in (("x2", "s"), ("d", "s"), ("s", "x3")):
        graph.connect(source, target)
    assert control.dcgain(graph.system("r", "x3")) == pytest.approx(5 / 6)
    assert control.dcgain(graph.system("d", "x3")) == pytest.approx(1 / 6)


def test_a_cycle_without_dynamics_is_refused() -> None:
    graph = BlockGraph()
    graph.add("r", "input")
    graph.add("s", "sum")
    graph.add("k", "gain", k=2.0)
    for source, target, sign in (("r", "s", 1), ("s", "k", 1), ("k", "s", -1)):
        graph.connect(source, target, sign=sign)
    assert graph.algebraic_loops() == [["k", "s"]]
    with pytest.raises(GraphError, match="k -> s -> k is an algebraic loop"):
        graph.system("r", "k")
    graph.remove("k")
    graph.add("k", "lag", T=1.0)
    graph.connect("s", "k")
    graph.connect("k", "s", sign=-1)
    assert control.dcgain(graph.system("r", "k")) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("kind", "params", "told"),
    [
        ("lg", {}, "no kind 'lg'"),
        ("lag", {}, "needs T"),
        ("lag", {"T": float("nan")}, "not finite"),
        ("lag", {"T": 1, "k": 2}, "no parameter 'k'"),
        ("tf", {"num": [1, 0, 0], "den": [1, 1]}, "more zeros than poles"),
        ("tf", {"num": [1], "den": [0]}, "denominator is 0"),
        ("tf", {"num": "ab", "den": [1]}, "number or a list"),
        ("pid", {"Kd": 1.0, "Tf": 0.0}, "Tf is above 0"),
    ],
)
def test_blocks_that_cannot_be(kind: str, params: dict[str, object], told: str) -> None:
    graph = BlockGraph()
    with pytest.raises(GraphError, match=told):
        graph.add("b", kind, **params)
    assert "b" not in graph.graph


def test_connections_that_cannot_be() -> None:
    graph = loop(Kp=1.0)
    for source, target, told in (
        ("x1", "x2", "already"),
        ("x3", "x1", "takes one signal"),
        ("x1", "r", "from outside"),
        ("x1", "z", "no block 'z'"),
    ):
        with pytest.raises(GraphError, match=told):
            graph.connect(source, target)
    with pytest.raises(GraphError, match="no input"):
        graph.system("x1", "x3")
    graph.disconnect("e", "c")
    with pytest.raises(GraphError, match="nothing leads to c"):
        graph.system("r", "x3")
