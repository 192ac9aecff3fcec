"""`figures/1`: figures that are listed and shown; those who read get the table of the data."""

from __future__ import annotations

from collections.abc import Sequence

from earsim.apparatus.figures.figure import Figure
from earsim.apparatus.lookup import LookedUp, LookUpModel, not_there, operation
from earsim.apparatus.model import ModelOutput
from earsim.apparatus.parameter import Parameter, SettingProblem, Settings
from earsim.apparatus.wet_bench.pool import ACTION

LIST_S, SHOW_S = 2.0, 4.0

_FIGURE = Parameter("figure", "id_of_the_list", "", is_text=True)


class FigureBoard(LookUpModel):
    """A collection of figures."""

    id = "figures/1"
    title = "figures: data series, each with a picture drawn from them"
    quantities = (
        ModelOutput(ACTION, "", "name of the operation: list or show"),
        ModelOutput("figures", "", "how many there are"),
        ModelOutput("figure", "", "the one that is shown"),
    )

    def __init__(
        self,
        figures: Sequence[Figure] = (),
        *,
        list_s: float = LIST_S,
        show_s: float = SHOW_S,
        tables: bool = True,
    ) -> None:
        """A collection.

        Args:
            figures: ids are unique.
            list_s: latency of the list.
            show_s: latency of a figure.
            tables: the data are shown as text beside the picture.
        """
        self.figures = {figure.id: figure for figure in figures}
        self._tables = tables
        self.actions = {
            "list": operation("list", "ids and titles", list_s),
            "show": operation("show", "a figure", show_s, _FIGURE),
        }

    def problem(self, settings: Settings) -> SettingProblem | None:
        """A figure that there is not."""
        if settings[ACTION] != "show" or str(settings["figure"]) in self.figures:
            return None
        return not_there("figure", settings["figure"], "figure id that the list shows")

    def answer(self, settings: Settings) -> LookedUp:
        """Ids and titles, or one figure."""
        if settings[ACTION] == "list":
            lines = [f"{figure.id}: {figure.title}" for figure in self.figures.values()]
            return LookedUp({ACTION: "list", "figures": len(lines)}, tuple(lines))
        figure = self.figures[str(settings["figure"])]
        head = [figure.title, f"{figure.kind} of {figure.y.caption} over {figure.x.caption}"]
        caption = [figure.caption] if figure.caption else []
        table = list(figure.table()) if self._tables else ["The data stand in the picture alone."]
        results = {ACTION: "show", "figure": figure.id}
        return LookedUp(results, (*head, *caption, *table))

    def shown(self, settings: Settings) -> Figure | None:
        """The figure that an operation shows; None where it shows none."""
        return self.figures.get(str(settings.get("figure", "")))
