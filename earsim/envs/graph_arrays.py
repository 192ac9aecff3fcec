"""The graph observation as arrays of fixed shape, for agents that read numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import gymnasium as gym
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs

from earsim.envs.graph_rows import NUMBERS, Arrays, GraphLayout, GraphRows
from earsim.envs.single import OmniEAREnv
from earsim.envs.spaces import GraphSpace
from earsim.errors import UsageError


class GraphArrays(gym.Wrapper[Arrays, Any, dict[str, Any], Any], RecordConstructorArgs):
    """Turns `observation="graph"` into a `Dict` of three arrays.

    ## Observation space
    Row `i` stands for the `i`-th id of the scene in file order: rooms, doors, objects, agents. So a
    thing keeps its row for the whole episode. Rows of things not yet discovered, and those beyond
    the last id, are zero throughout. With N = `max_nodes` and C = `len(columns)`:

    - `nodes`: shape (N, C), dtype float32, values from -710 to 710. See below for the columns.
    - `edges`: shape (R, N, N), dtype int8, 0 or 1. `edges[r, i, j]` says that row `i` stands in
      relation `RELATIONS[r]` to row `j`: `in`, `on` or `held` by its direct holder, `carried` by
      several of whom the first is named, and `leads_to` from doors and open passages to rooms; with
      `links=True` also `connected`, both ways, by a hose or cable. R is 5, with `links` 6.
    - `mask`: shape (N,), dtype int8; 1 where the row shows something.

    ## Columns of `nodes`, in order
    - `type:<type>` for `TYPES`: one-hot.
    - `is:me`; `is:here`, in my room or my hands; `is:held`, in somebody's hands, or in or on what
      is; `is:mine`, the same of mine; `is:known`, 0 for a door not yet looked at; `is:container`;
      `is:tool`; `is:changed_together`: 0 or 1.
    - `number:<name>` for the names asked for: the signed logarithm, `sign(x) * log(1 + |x|)`; 0
      where there is no such number.
    - `state:<name>` for the states asked for: 1 where true, -1 where false, 0 where there is none.

    Numbers and states without a column are left out, and so is all text: the instruction is in the
    info.

    Attributes:
        columns: what stands in each column of `nodes`.
    """

    def __init__(
        self,
        env: gym.Env[dict[str, Any], Any],
        max_nodes: int = 128,
        numbers: Sequence[str] = NUMBERS,
        states: Sequence[str] | None = None,
        links: bool = False,
    ) -> None:
        """Wrap an environment.

        Args:
            env: `OmniEAR-v0` made with `observation="graph"`, wrapped or not.
            max_nodes: rows; at least the number of ids of the largest scene.
            numbers: attributes, such as `mass_kg`, that get a column.
            states: states that get a column; all that the verb table knows when None.
            links: tell what is connected by hoses and cables.

        Raises:
            UsageError: The environment is another, or gives no graphs.
        """
        RecordConstructorArgs.__init__(
            self, max_nodes=max_nodes, numbers=numbers, states=states, links=links
        )
        super().__init__(env)
        if not isinstance(env.unwrapped, OmniEAREnv):
            raise UsageError(f"GraphArrays wraps OmniEAR-v0, not {env.unwrapped}")
        if not isinstance(env.observation_space, GraphSpace):
            raise UsageError('GraphArrays needs an environment made with observation="graph"')
        self.max_nodes = max_nodes
        self._rows = GraphRows.empty(GraphLayout(max_nodes, numbers, states, links=links))
        self.columns = self._rows.layout.columns
        self._bare = env.unwrapped
        self.observation_space = cast("spaces.Space[Arrays]", self._rows.layout.space)

    @property
    def ids(self) -> tuple[str, ...]:
        """The id of every row in use, whether discovered or not: never show it to an agent.

        Raises:
            NotReset: The environment was never reset.
        """
        return tuple(self._bare.episode.engine.blueprint.rank)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Arrays, dict[str, Any]]:
        """Start an episode.

        Raises:
            UsageError: Its scene has more ids than there are rows.
        """
        _, info = self.env.reset(seed=seed, options=options)
        return self._arrays(), info

    def step(self, action: Any) -> tuple[Arrays, Any, bool, bool, dict[str, Any]]:
        """Step the environment."""
        _, reward, terminated, truncated, info = self.env.step(action)
        return self._arrays(), reward, terminated, truncated, info

    def _arrays(self) -> Arrays:
        """Fresh arrays of this moment."""
        episode = self._bare.episode
        self._rows.write(episode.world, episode.agents[0])
        return {name: array.copy() for name, array in self._rows.arrays.items()}
