"""Proximal policy optimisation on `OmniEAR-v0`, from scratch and on a CPU.

One file from the settings to the run folder, to be read from top to bottom. The policy scores the
admissible commands of a graph observation (`graphs.policy`), which it reads without ids and names
(`graphs.reader`), so what is learned can be used in scenes never seen.

    earsim generate --preset small --category direct_command --n 1000 --splits --out small
    python -m earsim_training.ppo --suite small/train.jsonl.gz --held-out small/test.jsonl.gz

Schulman et al., "Proximal Policy Optimization Algorithms" (2017); the advantages are those of their
"High-Dimensional Continuous Control Using Generalized Advantage Estimation" (2016).
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import typer

from earsim.errors import FileError, Finding, MissingExtra, UsageError
from earsim.schema import Scenario
from earsim_training.graphs.encoder import CommandGraph
from earsim_training.graphs.env_slots import (
    Choose,
    EnvSlot,
    FinishedEpisode,
    SlotSettings,
    guessing,
    measure,
    scenarios_of,
)

try:
    import torch
    from torch import Tensor, nn
except ImportError:
    missing = MissingExtra("torch", "train")
    raise (SystemExit(f"error: {missing}") if __name__ == "__main__" else missing) from None

from earsim_training.graphs.policy import GraphPolicy, collate, greedy

_RECENT = 500
"""Episodes over which the curve tells how training goes."""


def _setting(default: Any, text: str) -> Any:
    return field(default=default, metadata={"help": text})


@dataclass(frozen=True, slots=True, kw_only=True)
class PpoSettings:
    """Everything that a run depends on; each field is a flag of the command line."""

    suite: str = _setting("starter", "scenarios to train on: a name, a folder or a packed file")
    held_out: tuple[str, ...] = _setting((), "suites of other scenes, which are only measured")
    out: str = _setting("runs/ppo", "the run folder")
    resume: bool = _setting(False, "go on from the checkpoint in the run folder")
    seed: int = _setting(0, "of weights, actions, minibatches and the order of scenarios")
    total_timesteps: int = _setting(1_000_000, "decisions to train for")
    minutes: float = _setting(20.0, "CPU minutes after which training stops in any case")
    num_envs: int = _setting(32, "environments, stepped in turn")
    num_steps: int = _setting(64, "decisions of each environment per update")
    update_epochs: int = _setting(3, "passes over the decisions of an update")
    num_minibatches: int = _setting(4, "gradient steps per pass")
    learning_rate: float = _setting(
        1e-3, "learning rate at the start; it falls to 0 with the timesteps"
    )
    gamma: float = _setting(0.98, "discount of later rewards")
    gae_lambda: float = _setting(0.95, "lambda of generalised advantage estimation")
    clip_coef: float = _setting(0.2, "how far the ratio of probabilities may leave 1")
    ent_coef: float = _setting(0.02, "weight of the entropy at the start; it falls with the rate")
    vf_coef: float = _setting(0.5, "weight of the critic's loss")
    max_grad_norm: float = _setting(0.5, "largest norm of a gradient")
    progress: float = _setting(1.0, "weight of the shaping by the share of goal parts reached")
    step_cost: float = _setting(0.01, "what a decision costs")
    never: tuple[str, ...] = _setting(("DONE",), "verbs that are masked out")
    width: int = _setting(64, "of all hidden layers")
    rounds: int = _setting(2, "of messages between nodes")
    check_every: int = _setting(25, "updates between measurements for the curve; 0 for none")
    check_on: int = _setting(100, "scenarios of each suite in such a measurement")
    threads: int = _setting(1, "of torch; more of them use up the CPU minutes faster")

    def __post_init__(self) -> None:
        """Refuse what cannot be trained with.

        Raises:
            UsageError: A setting has a value that makes no sense.
        """
        counts = ("total_timesteps", "num_envs", "num_steps", "update_epochs", "num_minibatches")
        for name in (*counts, "width", "threads", "minutes"):
            if getattr(self, name) <= 0:
                raise UsageError(f"{name}={getattr(self, name)}: expected a number above 0")
        batch = self.num_envs * self.num_steps
        if self.num_minibatches > batch:
            raise UsageError(
                f"num_minibatches={self.num_minibatches}: expected at most "
                f"num_envs * num_steps = {batch}"
            )

    @property
    def terms(self) -> SlotSettings:
        """What is paid and what is allowed."""
        return SlotSettings(self.progress, self.step_cost, self.gamma, self.never)


# -- learning --------------------------------------------------------------------------------------


class Rollout(NamedTuple):
    """What was seen and done for one update; tensors have shape (num_steps * num_envs,)."""

    graphs: list[CommandGraph]
    actions: Tensor
    logprobs: Tensor
    advantages: Tensor
    returns: Tensor


def draw(logits: Tensor, generator: torch.Generator) -> Tensor:
    """An action per row, by its probability; what is masked is never drawn."""
    return torch.multinomial(logits.softmax(-1), 1, generator=generator).squeeze(-1)


def entropy_of(logprobs: Tensor) -> Tensor:
    """Entropy per row, in nats; what is masked adds nothing."""
    finite = logprobs.masked_fill(logprobs.isinf(), 0.0)  # 0 times minus infinity is no number
    return -(logprobs.exp() * finite).sum(-1)


def advantages_of(
    rewards: Tensor, values: Tensor, over: Tensor, *, gamma: float, gae_lambda: float
) -> Tensor:
    """Generalised advantage estimates, shape (T, E).

    Args:
        rewards: of each decision, shape (T, E).
        values: of each situation and of that after the last, shape (T + 1, E).
        over: whether the episode ended with the decision, shape (T, E).
        gamma: discount of later rewards.
        gae_lambda: weight of later temporal-difference errors.
    """
    advantages = torch.zeros_like(rewards)
    later = torch.zeros_like(rewards[0])
    for step in reversed(range(len(rewards))):
        goes_on = 1.0 - over[step].float()
        surprise = rewards[step] + gamma * goes_on * values[step + 1] - values[step]
        later = surprise + gamma * gae_lambda * goes_on * later
        advantages[step] = later
    return advantages


class Learner:
    """A policy in training: its environments, its optimiser, and what they have been through."""

    def __init__(self, settings: PpoSettings, scenarios: Sequence[Scenario]) -> None:
        torch.set_num_threads(settings.threads)
        torch.use_deterministic_algorithms(True)
        torch.manual_seed(settings.seed)
        self.settings = settings
        self.policy = GraphPolicy(settings.width, settings.rounds)
        self.optimiser = torch.optim.Adam(
            self.policy.parameters(), settings.learning_rate, eps=1e-5
        )
        self.dice = torch.Generator().manual_seed(settings.seed)
        self.steps = 0
        self.recent: deque[FinishedEpisode] = deque(maxlen=_RECENT)
        self._scenarios = scenarios
        self._draws = random.Random()
        self._seats = [EnvSlot(settings.terms) for _ in range(settings.num_envs)]
        self._graphs: list[CommandGraph] = []

    def update(self) -> dict[str, float]:
        """Act for a while, learn from it, and say how it went."""
        left = max(0.0, 1.0 - self.steps / self.settings.total_timesteps)
        for group in self.optimiser.param_groups:
            group["lr"] = self.settings.learning_rate * left
        rollout = self._act()
        self.steps += len(rollout.graphs)
        return self._learn(rollout, self.settings.ent_coef * left)

    def _act(self) -> Rollout:
        settings = self.settings
        if not self._graphs:
            self._draws.seed(f"ppo scenarios {settings.seed} {self.steps}")
            self._graphs = [self._begun(seat) for seat in self._seats]
        graphs: list[CommandGraph] = []
        columns = []
        for _ in range(settings.num_steps):
            graphs += self._graphs
            columns.append(self._decide())
        actions, logprobs, values, rewards, over = map(torch.stack, zip(*columns, strict=True))
        with torch.no_grad():
            last = self.policy(collate(self._graphs))[1]
        seen = torch.cat([values, last[None]])
        advantages = advantages_of(
            rewards, seen, over, gamma=settings.gamma, gae_lambda=settings.gae_lambda
        )
        flat = (actions, logprobs, advantages, advantages + values)
        return Rollout(graphs, *(column.flatten() for column in flat))

    def _decide(self) -> tuple[Tensor, ...]:
        """A decision of every environment: actions, logprobs, values, rewards, over."""
        with torch.no_grad():
            logits, values = self.policy(collate(self._graphs))
        actions = draw(logits, self.dice)
        logprobs = logits.log_softmax(-1).gather(1, actions[:, None]).squeeze(1)
        turns = [seat.step(act) for seat, act in zip(self._seats, actions.tolist(), strict=True)]
        self.recent += [turn.ended for turn in turns if turn.ended]
        self._graphs = [
            self._begun(seat) if turn.ended else turn.graph
            for seat, turn in zip(self._seats, turns, strict=True)
        ]
        rewards = torch.tensor([turn.reward for turn in turns])
        over = torch.tensor([turn.ended is not None for turn in turns])
        return actions, logprobs, values, rewards, over

    def _begun(self, seat: EnvSlot) -> CommandGraph:
        """The first observation of an episode that is drawn."""
        return seat.reset(self._draws.choice(self._scenarios))

    def _learn(self, rollout: Rollout, ent_coef: float) -> dict[str, float]:
        told = []
        for _ in range(self.settings.update_epochs):
            order = torch.randperm(len(rollout.graphs), generator=self.dice)
            for chosen in order.tensor_split(self.settings.num_minibatches):
                loss, measures = self._loss(rollout, chosen, ent_coef)
                self.optimiser.zero_grad()
                torch.autograd.backward(loss)
                nn.utils.clip_grad_norm_(self.policy.parameters(), self.settings.max_grad_norm)
                self.optimiser.step()
                told.append(measures)
        return {name: round(float(np.mean([one[name] for one in told])), 5) for name in told[0]}

    def _loss(
        self, rollout: Rollout, chosen: Tensor, ent_coef: float
    ) -> tuple[Tensor, dict[str, float]]:
        logits, values = self.policy(collate([rollout.graphs[at] for at in chosen.tolist()]))
        logprobs = logits.log_softmax(-1)
        now = logprobs.gather(1, rollout.actions[chosen, None]).squeeze(1)
        ratio = (now - rollout.logprobs[chosen]).exp()
        clipped = ratio.clamp(1 - self.settings.clip_coef, 1 + self.settings.clip_coef)
        gain = rollout.advantages[chosen]
        gain = (gain - gain.mean()) / (gain.std(correction=0) + 1e-8)
        actor = -torch.min(ratio * gain, clipped * gain).mean()
        critic = 0.5 * (values - rollout.returns[chosen]).square().mean()
        entropy = entropy_of(logprobs).mean()
        loss = actor + self.settings.vf_coef * critic - ent_coef * entropy
        measures = {"policy_loss": actor, "value_loss": critic, "entropy": entropy}
        measures["clipfrac"] = (ratio != clipped).float().mean()
        return loss, {name: float(value.detach()) for name, value in measures.items()}


# -- a run -----------------------------------------------------------------------------------------

Suites = Mapping[str, Sequence[Scenario]]
Tell = Callable[[str], None]


def save(learner: Learner, path: Path, cpu_s: float) -> None:
    """Write a checkpoint; the one before stays until this one is whole."""
    whole = path.with_suffix(".part")
    kept = {
        "policy": learner.policy.state_dict(),
        "optimiser": learner.optimiser.state_dict(),
        "dice": learner.dice.get_state(),
        "steps": learner.steps,
        "cpu_s": cpu_s,
    }
    torch.save(kept, whole)
    whole.replace(path)


def load(learner: Learner, path: Path) -> float:
    """Go on from a checkpoint; its episodes were cut off, so others begin.

    Returns:
        CPU seconds that were spent until then.

    Raises:
        FileError: There is none, or it is of a policy of another build.
    """
    try:
        kept = torch.load(path, weights_only=True)
        learner.policy.load_state_dict(kept["policy"])
        learner.optimiser.load_state_dict(kept["optimiser"])
        learner.dice.set_state(kept["dice"])
        learner.steps = int(kept["steps"])
        return float(kept["cpu_s"])
    except Exception as error:  # noqa: BLE001 - torch raises whatever its readers come across
        reason = f"no checkpoint of this policy: {str(error).strip().splitlines()[0]}"
        hint = "train with the same --width and --rounds, or into another folder"
        raise FileError(str(path), [Finding(str(path), "", reason, hint)]) from None


def train(
    learner: Learner, suites: Suites, folder: Path, spent: Callable[[], float], tell: Tell
) -> None:
    """Train until the steps or the minutes are up; curve and checkpoint grow in the folder.

    Args:
        learner: what is trained.
        suites: what is measured for the curve.
        folder: the run folder.
        spent: CPU seconds so far, measurements included.
        tell: gets a line for every measurement.
    """
    settings = learner.settings
    updates = learner.steps // (settings.num_envs * settings.num_steps)
    while learner.steps < settings.total_timesteps and spent() < 60 * settings.minutes:
        losses, updates = learner.update(), updates + 1
        row: dict[str, Any] = {"steps": learner.steps, **_recently(learner), **losses}
        is_checked = settings.check_every > 0 and updates % settings.check_every == 0
        if is_checked:
            row["greedy"] = _measured(suites, greedy(learner.policy), settings)
        row["cpu_s"] = round(spent(), 1)
        with (folder / "curve.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        if is_checked:
            save(learner, folder / "policy.pt", spent())
            tell(_line(row))
    save(learner, folder / "policy.pt", spent())


def _recently(learner: Learner) -> dict[str, float]:
    """Means over the last episodes of training, in which actions are drawn."""
    columns = np.array(learner.recent, float).reshape(-1, len(FinishedEpisode._fields)).T
    return {
        name: round(float(column.mean()), 4)
        for name, column in zip(FinishedEpisode._fields, columns, strict=True)
        if len(column)
    }


def _measured(
    suites: Suites, choose: Choose, settings: PpoSettings, *, all_of_them: bool = False
) -> dict[str, Any]:
    """How often a way to choose leads to success, by suite."""
    most, terms = 0 if all_of_them else settings.check_on, settings.terms
    return {
        name: measure(scenarios, choose, terms=terms, most=most)
        for name, scenarios in suites.items()
    }


def _line(row: dict[str, Any]) -> str:
    best = "  ".join(f"{suite} {told['success']:.1%}" for suite, told in row["greedy"].items())
    drawn = f"drawn {row.get('won', 0.0):.1%}"
    return f"{row['steps']:>9,} decisions  {row['cpu_s']:>6.0f} CPU s  {drawn}  best: {best}"


def main(settings: PpoSettings, tell: Tell = lambda line: None) -> dict[str, Any]:
    """Train and measure; what comes out stands in `result.json` of the run folder, too.

    Raises:
        UsageError: The folder holds a run that is not to be resumed.
        FileError: A suite or the checkpoint cannot be used.
    """
    started = time.process_time()
    folder = Path(settings.out)
    suites = {name: scenarios_of(name) for name in (settings.suite, *settings.held_out)}
    learner = Learner(settings, suites[settings.suite])
    if settings.resume:
        started -= load(learner, folder / "policy.pt")
        _cut(folder / "curve.jsonl", learner.steps)
    elif (folder / "curve.jsonl").exists():
        raise UsageError(f"{folder} holds a run: choose another --out, or go on with --resume")
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / "settings.json", asdict(settings))
    train(learner, suites, folder, lambda: time.process_time() - started, tell)
    result = {
        "steps": learner.steps,
        "cpu_s": round(time.process_time() - started, 1),
        "guessing": _measured(suites, guessing(settings.seed), settings, all_of_them=True),
        "greedy": _measured(suites, greedy(learner.policy), settings, all_of_them=True),
    }
    _write(folder / "result.json", result)
    return result


def _cut(curve: Path, steps: int) -> None:
    """Drop rows that are younger than the checkpoint: they will come again."""
    rows = curve.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [row for row in rows if row.endswith("\n") and json.loads(row)["steps"] <= steps]
    curve.write_text("".join(kept), encoding="utf-8")


def _write(path: Path, content: dict[str, Any]) -> None:
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def parser() -> argparse.ArgumentParser:
    """The command line: a flag for every setting."""
    made = argparse.ArgumentParser(
        prog="python -m earsim_training.ppo",
        description=(__doc__ or "").partition("\n")[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    for each in fields(PpoSettings):
        flag = f"--{each.name.replace('_', '-')}"
        told: dict[str, Any] = {"default": each.default, "help": each.metadata["help"]}
        if isinstance(each.default, bool):
            told["action"] = "store_true"
        elif isinstance(each.default, tuple):
            told |= {"nargs": "*", "default": list(each.default)}
        else:
            told["type"] = type(each.default)
        made.add_argument(flag, **told)
    return made


def run(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, train, and print what came out as JSON."""
    flags = vars(parser().parse_args(arguments))
    lists = {name: tuple(value) for name, value in flags.items() if isinstance(value, list)}
    result = main(PpoSettings(**flags | lists), tell=lambda line: typer.echo(line, err=True))
    typer.echo(json.dumps(result, indent=2))


if __name__ == "__main__":
    from earsim.cli.boundary import errors_told

    with errors_told():
        run()
