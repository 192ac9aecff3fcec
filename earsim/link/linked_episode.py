"""A live episode at the end of any number of lines: messages in, decisions, messages out.

Nothing here knows what carries the texts, and nothing reads a clock on the wall, so a session on a
socket and one in process are the same, message for message.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from earsim.actions.decision import Decision
from earsim.apparatus.message import Envelope, MessageType, error_about, from_json
from earsim.apparatus.operation import OperationStatus
from earsim.apparatus.payload import (
    ErrorCode,
    Heartbeat,
    OperationAck,
    OperationRequest,
    SessionInit,
    StateVerification,
)
from earsim.apparatus.tracker import Rejection
from earsim.episode import Episode
from earsim.errors import UnreadableMessage, near_misses
from earsim.link import answers, body
from earsim.link.limits import MOST_BYTES, MOST_ID_CHARS, MOST_WAITING, SESSION_S
from earsim.link.line import LinkLine
from earsim.link.requests import command_of
from earsim.link.session import LinkSession, WaitingRequest

Take = Callable[[Episode, Mapping[str, str]], Any]
"""Takes a decision in an episode; a recorder may stand in its place."""

NO_SESSION = "none"
"""Session of an error about a message that came before any session."""


def step(episode: Episode, commands: Mapping[str, str]) -> Decision:
    """Take a decision, and record nothing."""
    return episode.step(commands)


class LinkedEpisode:
    """An episode whose agents are played through sessions.

    In lockstep a decision is taken when every agent that is awake has a request: first of all, so,
    when every agent has been taken. With `tick_s` decisions are taken by `tick` only, and who is
    silent then waits for so many seconds.

    Attributes:
        episode: what is played.
        sessions: by id.
    """

    def __init__(self, episode: Episode, *, take: Take = step, tick_s: int | None = None) -> None:
        """Let an episode be played.

        Args:
            episode: that nobody else steps.
            take: takes its decisions.
            tick_s: world seconds of a tick; None for lockstep.
        """
        self.episode = episode
        self.sessions: dict[str, LinkSession] = {}
        self._take = take
        self._tick_s = tick_s
        self._lines: dict[str, LinkLine] = {}
        self._left: set[str] = set()
        self._counter = 0

    @property
    def clock(self) -> float:
        """Of the world, in s."""
        return float(self.episode.world.clock)

    @property
    def is_over(self) -> bool:
        """Whether no further decision will be taken."""
        return self.episode.over or self.episode.truncated

    @property
    def free(self) -> tuple[str, ...]:
        """The agents that nobody has taken."""
        taken = {session.agent for session in self.sessions.values()}
        return tuple(agent for agent in self.episode.agents if agent not in taken)

    # -- messages ------------------------------------------------------------------------------

    def receive(self, line: LinkLine, text: str | bytes) -> None:
        """Take a message that came on a line. What is refused is answered with an error."""
        try:
            envelope = _read(text)
        except UnreadableMessage as error:
            self._refuse(line, ErrorCode.UNREADABLE, str(error)[:500])
            return
        session, payload = line.session, envelope.payload
        if isinstance(payload, SessionInit):
            self._open(line, envelope, payload)
        elif session is None or line.is_replaced:
            told = "session_init comes first" if session is None else "the session is elsewhere"
            self._refuse(line, ErrorCode.UNKNOWN_SESSION, told, envelope)
        elif not session.is_repeated(envelope):
            self._receive(line, session, envelope)
        line.notify()

    def _receive(self, line: LinkLine, session: LinkSession, envelope: Envelope) -> None:
        """Take a message of an open session."""
        payload = envelope.payload
        if envelope.type is MessageType.ERROR:
            return
        request: WaitingRequest | None = None
        if isinstance(payload, OperationRequest):
            read = self._request(session, envelope, payload)
            if isinstance(read, Rejection):
                session.refuse(read, self.clock, envelope.id)
                return
            request = read
        rejected = session.take(envelope, self.clock)
        if rejected is not None:
            session.refuse(rejected, self.clock, envelope.id)
        elif isinstance(payload, Heartbeat):
            self._beat(line, payload.counter, envelope)
        elif isinstance(payload, StateVerification):
            self._confirm(session, envelope, payload)
        elif request is not None:
            session.waiting.append(request)
            self._decide_if_all_spoke()
        elif isinstance(payload, OperationRequest):
            body.answer_about_body(session, envelope, payload, self.episode)

    def _request(
        self, session: LinkSession, envelope: Envelope, request: OperationRequest
    ) -> WaitingRequest | Rejection | None:
        """A request as the world will take it; None where the agent's own body answers it."""
        if self.is_over:
            return Rejection(ErrorCode.UNEXPECTED, "the episode is over")
        if body.is_about_body(session, envelope, request):
            problem = body.problem(request)
            return None if problem is None else Rejection(ErrorCode.UNKNOWN_REQUEST, problem)
        if len(session.waiting) >= MOST_WAITING:
            told = f"{MOST_WAITING} requests wait for a decision; send this one again later"
            return Rejection(ErrorCode.UNEXPECTED, told)
        about, kind = str(envelope.operation_id), request.operation_type
        of_run = None
        if not kind.begins:
            if session.status(about) is None:
                return Rejection(ErrorCode.UNKNOWN_OPERATION, f"operation {about!r}")
            if about not in session.runs:
                told = f"{kind} is about the run of an apparatus; {about!r} is none"
                return Rejection(ErrorCode.UNEXPECTED, told)
            run_id, _ = session.runs[about]
            of_run = answers.runs_of(self.episode.world)[run_id].apparatus
        command = command_of(request, self.episode.engine, of_run)
        if isinstance(command, Rejection):
            return command
        return WaitingRequest(envelope.id, about, command, kind.begins)

    def _confirm(self, session: LinkSession, envelope: Envelope, asked: StateVerification) -> None:
        about = str(envelope.operation_id)
        values = answers.values_told(session, self.episode.world, about)
        for name, expected in asked.expected.items():
            told = answers.confirmed(name, values.get(name), expected)
            session.tell(told, self.clock, about, answers=envelope.id)

    def _refuse(
        self, line: LinkLine, code: ErrorCode, text: str, about: Envelope | None = None
    ) -> None:
        """Tell that a message could not be taken: in the session, or beside it where none is."""
        if line.session is not None and not line.is_replaced:
            about_id = None if about is None else about.id
            line.session.refuse(Rejection(code, text), self.clock, about_id)
        else:
            self._counter += 1
            id = f"e_{self._counter}"
            error = error_about(about, code, text, id=id, timestamp=self.clock, session=NO_SESSION)
            line.send_beside(error.to_json())
        line.notify()

    def _beat(self, line: LinkLine, counter: int, answered: Envelope | None) -> None:
        """Say that the episode is still there. This is not kept: it means nothing later."""
        if line.session is None:
            return
        self._counter += 1
        about = None if answered is None else answered.id
        told = Heartbeat(counter=counter)
        id, session = f"h_{self._counter}", line.session.id
        line.send_beside(Envelope(id, told, self.clock, session, correlation_id=about).to_json())
        line.notify()

    def beat(self, line: LinkLine, counter: int) -> None:
        """Send a heartbeat on a line that has a session."""
        self._beat(line, counter, None)

    # -- sessions ------------------------------------------------------------------------------

    def _open(self, line: LinkLine, envelope: Envelope, init: SessionInit) -> None:
        """Open a session on a line, or take it up again."""
        if line.session is not None:
            self._refuse(line, ErrorCode.UNEXPECTED, "the line has a session", envelope)
            return
        session = self.sessions.get(envelope.session_id)
        if session is None:
            problem = self._problem_of_opening(init)
        elif session.agent != init.who:
            problem = f"the session is of another agent than {init.who!r}"
        else:
            problem = None
        if problem is not None:
            self._refuse(line, ErrorCode.UNKNOWN_SESSION, problem, envelope)
            return
        if session is None:
            session = self.sessions[envelope.session_id] = LinkSession.of(
                envelope.session_id, init.who
            )
            self._left.discard(init.who)
        seen = session.ring.number_of(init.last_seen)
        rest = None if seen is None else session.ring.after(seen)
        if seen is None or rest is None:
            told = f"what came after {init.last_seen!r} is not known any more"
            self._refuse(line, ErrorCode.UNEXPECTED, told, envelope)
            return
        before = self._lines.get(session.id)
        if before is not None:
            before.is_replaced = True
            before.notify()
        line.session, session.left_at = session, None
        session.ring.sent = seen
        self._lines[session.id] = line
        self._beat(line, len(rest), envelope)

    def _problem_of_opening(self, init: SessionInit) -> str | None:
        if init.last_seen is not None:
            return "there is no such session to take up again"
        if init.who not in self.episode.agents:
            near = near_misses(init.who, self.episode.agents)
            return f"no agent {init.who!r}; there are: {', '.join(near or self.episode.agents)}"
        if init.who not in self.free:
            return f"{init.who!r} is taken; free: {', '.join(self.free) or 'none'}"
        return None

    def cut(self, line: LinkLine, now: float) -> None:
        """A line is gone; its session waits to be taken up again.

        Args:
            line: that was cut.
            now: any clock in s; `expire` is told the same one.
        """
        session = line.session
        if session is not None and not line.is_replaced:
            line.is_replaced = True
            del self._lines[session.id]
            session.left_at = now

    def expire(self, now: float) -> None:
        """End the sessions whose clients stay away; their agents are silent until taken anew."""
        for session in list(self.sessions.values()):
            if session.left_at is not None and now - session.left_at >= SESSION_S:
                del self.sessions[session.id]
                self._left.add(session.agent)
        if self._left:
            self._decide_if_all_spoke()

    # -- decisions -----------------------------------------------------------------------------

    def _decide_if_all_spoke(self) -> None:
        """In lockstep, take decisions while every agent that is awake has a request."""
        while self._tick_s is None and not self.is_over:
            awake = {id for id, state in self.episode.world.agents.items() if not state.idle}
            heads = self._heads()
            if not heads or not awake <= {*heads, *self._left}:
                return
            self._decide(heads, {})

    def tick(self) -> None:
        """Take a decision now; who is silent waits."""
        assert self._tick_s is not None, "a link in lockstep does not tick"
        if self.is_over or not self.sessions:
            return
        heads = self._heads()
        timed = self.episode.world.timeline is not None
        waits = {
            agent: f"WAIT {self._tick_s}" if timed else "WAIT"
            for agent, state in self.episode.world.agents.items()
            if not state.idle and agent not in heads
        }
        self._decide(heads, waits)

    def _heads(self) -> dict[str, tuple[LinkSession, WaitingRequest]]:
        """The request that each agent's next command comes of; requests that came late go."""
        found = {}
        for session in self.sessions.values():
            while session.waiting:
                request = session.waiting[0]
                status = session.status(request.operation_id)
                if request.begins or (status is not None and not status.ended):
                    found[session.agent] = (session, request)
                    break
                session.waiting.popleft()
                told = f"operation {request.operation_id!r} has ended"
                rejection = Rejection(ErrorCode.UNEXPECTED, told)
                session.refuse(rejection, self.clock, request.id)
        return found

    def _decide(
        self, heads: Mapping[str, tuple[LinkSession, WaitingRequest]], waits: Mapping[str, str]
    ) -> None:
        """Take one decision, and tell everybody what came of it."""
        episode, since = self.episode, self.clock
        said = {agent: request.command for agent, (_, request) in heads.items()}
        said |= waits
        self._take(episode, {agent: said[agent] for agent in episode.agents if agent in said})
        for agent in episode.agents:
            session = next((s for s in self.sessions.values() if s.agent == agent), None)
            if session is None:
                continue
            if agent in heads:
                request = session.waiting.popleft()
                outcome = episode.outcome(agent)
                assert outcome is not None, f"{agent} gave {request.command!r}"
                answers.answer(session, request, outcome, episode, since)
            answers.tell_of_runs(session, episode.world)
            body.tell_of_decision(session, episode)
            session.forget_old()
            if self.is_over:
                self._refuse_the_rest(session)
            if session.id in self._lines:
                self._lines[session.id].notify()

    def _refuse_the_rest(self, session: LinkSession) -> None:
        """Tell of requests that no decision will take."""
        self._heads()
        ack = OperationAck(accepted=False, reason="episode_over")
        while session.waiting:
            request = session.waiting.popleft()
            status = OperationStatus.FAILED if request.begins else None
            session.tell(ack, self.clock, request.operation_id, status, answers=request.id)


def _read(text: str | bytes) -> Envelope:
    """A message within the limits.

    Raises:
        UnreadableMessage: It is none.
    """
    size = len(text if isinstance(text, bytes) else text.encode("utf-8", "replace"))
    if size > MOST_BYTES:
        raise UnreadableMessage(f"{size} bytes, and a message has {MOST_BYTES} at most")
    envelope = from_json(text)
    for id in (envelope.id, envelope.session_id, envelope.operation_id, envelope.correlation_id):
        if id is not None and len(id) > MOST_ID_CHARS:
            raise UnreadableMessage(f"an id of {len(id)} characters, {MOST_ID_CHARS} at most")
    return envelope
