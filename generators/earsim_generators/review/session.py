"""A reviewer's session on a suite: a line of input, lines of output."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from earsim.engine import Engine
from earsim.errors import FileError, UsageError
from earsim.play.attempts import Attempt
from earsim.play.game import Game
from earsim.play.said import Said, TextKind, doubt, hint, panel, story
from earsim.play.session import Session
from earsim.render.proof import proof_line, solution_line
from earsim.render.words.goals import goal_lines
from earsim.schema import Category, Scenario
from earsim.schema.certificate import Certificate
from earsim.world import Blueprint
from earsim_generators.llm.checks.answer_error import lines
from earsim_generators.review.review import Review, ReviewDecision, Tried, is_reviewer
from earsim_generators.review.reviewed_suite import ReviewedSuite, corrected

HELP = """\
play             try the task yourself; quit leaves the game and comes back here
goal             what is judged
proof            the certificate: how it is solved, and why it is what it is called
accept [NOTE]    it is a good task
reject NOTE      it is not, and why
correct TEXT     it is, with this instruction; {names} in braces as in the present one
words            the present instruction as it is written, braces and all
note TEXT        remembered with your decision
skip             decide later
quit             leave; every decision is kept
"""

Answers = Iterator[Said]


class ReviewSession:
    """Shows scenarios one after another until each is decided, or the reviewer leaves."""

    def __init__(self, reviewed: ReviewedSuite, reviewer: str, ids: Sequence[str]) -> None:
        self.over = False
        self.decided = 0
        self._reviewed = reviewed
        self._reviewer = reviewer
        self._ids = list(ids)
        self._place = -1
        self._scenario: Scenario | None = None
        self._game: Game | None = None
        self._attempt: Attempt | None = None
        self._tried: Tried | None = None
        self._note = ""

    @property
    def left(self) -> int:
        """Number of undecided scenarios."""
        return len(self._ids) - self.decided

    def opening(self) -> list[Said]:
        """Output before the first line."""
        if not self._ids:
            self.over = True
            return [hint("You have decided everything there is. To change your mind: --again")]
        return [hint(f"{len(self._ids):,} to decide. Say help to see how."), *self._next()]

    def prompt(self) -> str:
        """The prompt of the input line."""
        if self._game is not None:
            return self._game.prompt()
        return f"[{self._place + 1} of {len(self._ids)}] review> "

    def completions(self, line: str) -> list[str]:
        """Completions of an input line."""
        if self._game is not None:
            return self._game.completions(line)
        words = [each for each in self._answers if each.startswith(line.strip().casefold())]
        return words if " " not in line.lstrip() else []

    def hear(self, line: str) -> list[Said]:
        """Answer one line."""
        if self._game is not None:
            return list(self._played(self._game, line))
        word, _, rest = line.strip().partition(" ")
        if not word:
            return []
        answer = self._answers.get(word.casefold())
        if answer is None:
            return [doubt(f"There is no {word[:40]!r} here; say help to see what there is.")]
        return list(answer(rest.strip()))

    @property
    def _answers(self) -> dict[str, Callable[[str], Answers]]:
        return {
            "play": self._play,
            "goal": self._goal,
            "proof": self._proof,
            "words": self._words,
            "accept": lambda note: self._decide(ReviewDecision.ACCEPT, note),
            "reject": self._reject,
            "correct": self._correct,
            "note": self._remember,
            "skip": lambda rest: self._next(),
            "quit": self._quit,
            "help": lambda rest: iter([panel("Review", HELP)]),
        }

    @property
    def _now(self) -> Scenario:
        assert self._scenario is not None, "asked only while something is shown"
        return self._scenario

    # -- from one to the next ------------------------------------------------------------------

    def _next(self) -> Answers:
        self._place += 1
        self._tried, self._note, self._scenario = None, "", None
        if self._place >= len(self._ids):
            self.over = True
            yield hint("That was the last one.")
            return
        self._scenario = self._reviewed.suite.load(self._ids[self._place])
        yield from self._shown()

    def _shown(self) -> Answers:
        scenario = self._now
        agents = ", ".join(agent.name for agent in scenario.agents)
        task = f"{scenario.task.category.value}, for {agents}"
        title = f"{scenario.id}: {scenario.scene.title or scenario.scene.id}"
        yield panel(title, f"{Engine(scenario).instruction}\n({task})")
        before = self._reviewed.reviews.of(scenario).get(self._reviewer)
        if before is not None:
            yield hint(f"You said {before.decision.value}; what you say now takes its place.")

    def _quit(self, rest: str) -> Answers:
        self.over = True
        yield hint("Every decision is kept.")

    # -- looking and trying --------------------------------------------------------------------

    def _goal(self, rest: str) -> Answers:
        engine = Engine(self._now)
        told = goal_lines(self._now.task.goal, engine.task.answer, engine.blueprint)
        yield panel("Goal", "\n".join(told))

    def _proof(self, rest: str) -> Answers:
        certificate = self._reviewed.certificate(self._now)
        if certificate is None:
            yield doubt("There is no certificate of it as it is now: earsim certify")
        else:
            yield panel("Certificate", "\n".join(_proof_lines(certificate, self._now)))

    def _words(self, rest: str) -> Answers:
        yield story(self._now.task.instruction)

    def _play(self, rest: str) -> Answers:
        run = self._reviewed.attempts(self._reviewer)
        last = run.recorded(self._now)
        left = last[0] if last is not None and last[1] else None
        attempt = Attempt(self._now, run, 0, left)
        if last is None or left is not None:
            self._attempt = attempt
        else:
            yield hint("You have tried it before; that attempt is kept, and this one is not.")
        session = attempt.begin()
        self._game = Game(session)
        yield from self._game.opening()

    def _played(self, game: Game, line: str) -> Answers:
        decisions = len(game.session.steps)
        yield from game.hear(line)
        if len(game.session.steps) != decisions and self._attempt is not None:
            self._attempt.save(game.session)
        if game.over:
            self.leave_game()
            yield hint("Back in the review: accept, reject or correct?")

    def leave_game(self) -> None:
        """End an attempt where it stands, and remember how it went; without one, do nothing."""
        game, self._game, attempt, self._attempt = self._game, None, self._attempt, None
        if game is None or not game.session.steps:
            return
        self._tried = _tried(game.session)
        if attempt is not None:
            attempt.save(game.session)

    # -- deciding ------------------------------------------------------------------------------

    def _remember(self, note: str) -> Answers:
        self._note = note
        yield hint("It will stand beside your decision." if note else "The note is forgotten.")

    def _reject(self, note: str) -> Answers:
        if not (note or self._note):
            yield doubt("Say why: reject the sofa is not heavy")
        else:
            yield from self._decide(ReviewDecision.REJECT, note)

    def _correct(self, text: str) -> Answers:
        if not text:
            yield doubt("Say how it should read; words shows the present instruction.")
            return
        try:
            better = corrected(self._now, text)
        except FileError as error:
            yield doubt("That will not do: " + "; ".join(lines(error.findings)))
            return
        if better.task.instruction == self._now.task.instruction:
            yield doubt("That is what it says already.")
            return
        yield story(f"It will read: {Engine(better).instruction}")
        yield from self._decide(ReviewDecision.CORRECT, "", instruction=text)

    def _decide(
        self, decision: ReviewDecision, note: str, *, instruction: str | None = None
    ) -> Answers:
        try:
            review = Review(
                reviewer=self._reviewer,
                scenario_id=self._now.id,
                scenario_hash=self._now.hash,
                decision=decision,
                instruction=instruction,
                note=" ".join(filter(None, (self._note, note))),
                tried=self._tried,
            )
        except ValueError:
            yield doubt("A note is plain text of at most 4,000 characters.")
            return
        self._reviewed.reviews.add(review)
        self.decided += 1
        yield Said(TextKind.DONE, f"{decision.value}: kept.")
        yield from self._next()


def begin_session(
    reviewed: ReviewedSuite, reviewer: str, *, category: Category | None = None, again: bool = False
) -> ReviewSession:
    """A session over what a reviewer has not decided yet, or over everything.

    Raises:
        UsageError: The name is not valid, or there is nothing of this category.
    """
    if not is_reviewer(reviewer):
        raise UsageError(f"{reviewer!r} will not do as a name: letters, digits, _ . and -")
    suite = reviewed.suite.select(category=category)
    if not len(suite):
        raise UsageError(f"{reviewed.source} has no scenario of category {category}")
    ids = [each.id for each in suite if again or reviewer not in reviewed.reviews.of(each)]
    return ReviewSession(reviewed, reviewer, ids)


def _tried(session: Session) -> Tried:
    result = session.trajectory().result
    assert result is not None, "a record of play has a result"
    return Tried(
        won=result.success_final, decisions=len(session.steps), termination=result.termination
    )


def _proof_lines(certificate: Certificate, scenario: Scenario) -> Iterator[str]:
    """The plan of a certificate and the proofs of its label."""
    blueprint = Blueprint.compile(scenario.scene, scenario.agents)
    yield f"Solution: {solution_line(certificate, blueprint)}"
    for number, commands in enumerate(certificate.solution.plan, start=1):
        said = " | ".join(f"{agent}: {text}" for agent, text in commands.items())
        yield f"{number:>4}  {said}"
    yield f"{certificate.category.value}: {certificate.label.value.replace('_', ' ')}"
    for proof in certificate.necessity:
        yield f"      {proof_line(proof)}"
    yield f"By planner {certificate.planner} under {certificate.ruleset}."
