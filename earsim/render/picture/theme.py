"""Colours, light and dark."""

from __future__ import annotations

from dataclasses import dataclass, fields

from earsim.errors import UsageError

_TINT = 0.14


@dataclass(frozen=True, slots=True)
class Theme:
    """Every colour of a picture, as `#rrggbb`; there is no transparency to disagree about.

    Letters have a contrast of 4.5 to 1 at least to what they stand on (WCAG 2.2, 1.4.3).
    """

    canvas: str
    ink: str
    muted: str
    wall: str
    duct: str
    floor: str
    furniture: str
    furniture_edge: str
    item: str
    item_edge: str
    inside: str
    inside_edge: str
    unseen_edge: str
    unseen_inside: str
    unseen_ink: str
    lid: str
    door: str
    locked: str
    on_colour: str
    agents: tuple[str, ...]

    def agent(self, place: int) -> str:
        """The colour of the agent at a place in file order."""
        return self.agents[place % len(self.agents)]

    def tint(self, place: int) -> str:
        """That colour as a ground for letters on a floor."""
        return blend(self.agent(place), self.floor, _TINT)


LIGHT = Theme(
    canvas="#f4f5f7",
    ink="#1f2933",
    muted="#4f5a66",
    wall="#55616e",
    duct="#c3ccd5",
    floor="#ffffff",
    furniture="#f4eee3",
    furniture_edge="#dccfb8",
    item="#ffffff",
    item_edge="#cbc3b4",
    inside="#e6dcc9",
    inside_edge="#d3c5aa",
    unseen_edge="#d9dee3",
    unseen_inside="#f4f5f7",
    unseen_ink="#68727d",
    lid="#8a6d3b",
    door="#c08a3e",
    locked="#b83a3a",
    on_colour="#ffffff",
    agents=("#2867c9", "#c4501b", "#17805c", "#8a3fae"),
)

DARK = Theme(
    canvas="#14181d",
    ink="#e6eaee",
    muted="#929da9",
    wall="#46515d",
    duct="#77838f",
    floor="#1c2228",
    furniture="#2e2b26",
    furniture_edge="#4b453a",
    item="#3b3a38",
    item_edge="#5a564d",
    inside="#24211d",
    inside_edge="#443e33",
    unseen_edge="#333b44",
    unseen_inside="#171c21",
    unseen_ink="#8a949f",
    lid="#c9a566",
    door="#d9a04e",
    locked="#e06464",
    on_colour="#0d1014",
    agents=("#5b92e6", "#d9703a", "#2f9c76", "#b57ad3"),
)

THEMES = {"light": LIGHT, "dark": DARK}


class NamedTheme(Theme):
    """Names in place of colours, for a page that colours a drawing by its own theme."""

    __slots__ = ()

    def tint(self, place: int) -> str:
        """`tint-1`, of the agent that is drawn in `agent-1`."""
        return f"tint-{place % len(self.agents)}"


def named_colours(theme: Theme) -> dict[str, str]:
    """Every colour of a theme by the name that stands for it in a drawing of `NAMED`."""
    shown = {each.name: getattr(theme, each.name) for each in fields(Theme)}
    places = range(len(shown.pop("agents")))
    shown |= {f"agent-{place}": theme.agent(place) for place in places}
    return shown | {f"tint-{place}": theme.tint(place) for place in places}


NAMED = NamedTheme(
    **{each.name: each.name for each in fields(Theme) if each.name != "agents"},
    agents=tuple(f"agent-{place}" for place in range(len(LIGHT.agents))),
)
"""The theme of drawings whose shapes are filled with the names of colours."""


def theme_named(name: str) -> Theme:
    """The theme of that name.

    Raises:
        UsageError: There is none.
    """
    if name not in THEMES:
        raise UsageError(f"theme {name!r} is none of {', '.join(THEMES)}")
    return THEMES[name]


def blend(front: str, back: str, share: float) -> str:
    """`front` painted over `back` with an opacity of `share`."""
    mixed = [
        round(int(front[i : i + 2], 16) * share + int(back[i : i + 2], 16) * (1 - share))
        for i in (1, 3, 5)
    ]
    return "#{:02x}{:02x}{:02x}".format(*mixed)
