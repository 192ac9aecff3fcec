"""What the Gymnasium faces have in common: one live episode, and ways to look at it."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import Parameter, signature
from typing import Any, Self

from earsim.envs.observation import Rewards
from earsim.envs.options import EpisodeOptions, shown
from earsim.envs.render_modes import paint
from earsim.episode import Episode, Snapshot
from earsim.errors import NotReset, UnknownArgument, UsageError, did_you_mean, near_misses
from earsim.prose import listing

RENDER_MODES = ("ansi", "human", "rgb_array")


class EpisodeMixin:
    """Mixed into an environment that plays one episode at a time.

    Attributes:
        options: how episodes are played and told.
        render_mode: one of `RENDER_MODES`, or None.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 4}  # noqa: RUF012
    options: EpisodeOptions
    render_mode: str | None
    _episode: Episode | None = None
    _rewards: Rewards

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        """Refuse arguments that the environment does not take, and name those that it takes."""
        known = signature(cls.__init__).parameters
        if not any(each.kind is Parameter.VAR_KEYWORD for each in known.values()):
            names = [name for name in known if name != "self"]
            for name in kwargs:
                if name not in names:
                    hint = did_you_mean(near_misses(name, names)) or f"there are {listing(names)}"
                    raise UnknownArgument(f"{shown(name)[1:-1]}: unknown argument; {hint}")
        return super().__new__(cls)

    @property
    def episode(self) -> Episode:
        """The live episode.

        Raises:
            NotReset: The environment was never reset.
        """
        if self._episode is None:
            raise NotReset
        return self._episode

    def render(self) -> Any:
        """Text (`ansi`), an image of shape (height, width, 3) (`rgb_array`), or None (`human`)."""
        return paint(self.episode, self.episode.agents[0], self.render_mode)

    def schemas(self) -> dict[str, dict[str, Any]]:
        """One JSON schema per verb of the running scenario."""
        return self.episode.engine.schemas()

    def text_of(self, command: Mapping[str, Any]) -> str:
        """The text that a structured command stands for."""
        return self.episode.engine.text_of(command)

    def snapshot(self) -> Snapshot:
        """This moment of the episode, for `restore`."""
        return self.episode.snapshot()

    def restore(self, moment: Snapshot) -> None:
        """Go back to a moment of this scenario."""
        self.episode.restore(moment)
        self._rewards = Rewards.of(self.episode, self.options)

    def fork(self) -> Episode:
        """An independent copy of the running episode."""
        return self.episode.fork()


def known_render_mode(mode: str | None) -> str | None:
    """The mode itself.

    Raises:
        UsageError: There is no such mode.
    """
    if mode is not None and mode not in RENDER_MODES:
        raise UsageError(f"render_mode={shown(mode)}: choose one of {', '.join(RENDER_MODES)}")
    return mode
