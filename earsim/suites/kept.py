"""A suite that keeps what was read of it: in memory, and on disk where a folder is named."""

from __future__ import annotations

import marshal
from collections import OrderedDict
from hashlib import sha256
from typing import Any
from weakref import WeakValueDictionary

from earsim.schema.plain import from_plain
from earsim.schema.scenario import Scenario, scene_data
from earsim.schema.scene import Scene
from earsim.suites.scenario_cache import ScenarioCache, cache_key, scenario_cache
from earsim.suites.suite import Suite

KEPT_BYTES = 64 * 1024 * 1024
"""Of scenarios that were read before: about 10,000 of the size of EAR-Bench's."""


class KeptSuite:
    """A suite, and its scenarios that were read before.

    They are kept as bytes, which cost the garbage collector nothing. A scene is kept once for all
    scenarios that share it, and made again only where no scenario in use has it.
    """

    def __init__(self, suite: Suite) -> None:
        self.suite = suite
        self._data: OrderedDict[str, bytes] = OrderedDict()
        self._bytes = 0
        self._scenes: WeakValueDictionary[str, Scene] = WeakValueDictionary()
        self._latest: tuple[Scene, str] | None = None

    def load(self, scenario_id: str) -> Scenario:
        """A scenario; its file is read once."""
        scenario = self._from_memory(scenario_id)
        if scenario is not None:
            return scenario
        cache, key = scenario_cache(), ""
        files = None if cache is None else self.suite.files(scenario_id)
        if cache is not None and files is not None:
            key = cache_key(scenario_id, files)
            scenario = self._from_disk(cache, key, scenario_id)
            if scenario is not None:
                return scenario
        scenario = self.suite.load(scenario_id)
        if type(scenario.scene) is not Scene:
            return scenario
        data = scenario.model_dump(mode="json", exclude={"scene"}, exclude_defaults=True)
        data |= {"scene": self._key(scenario.scene), "hash": scenario.hash}
        self._keep(scenario_id, marshal.dumps(data))
        if cache is not None and key:
            cache.put({data["scene"]: scene_data(scenario.scene), key: data})
        return scenario

    def _from_memory(self, scenario_id: str) -> Scenario | None:
        if scenario_id not in self._data:
            return None
        data = marshal.loads(self._data[scenario_id])
        key = data["scene"]
        scene = self._scenes.get(key)
        if scene is None and key in self._data:
            scene = self._scenes[key] = from_plain(Scene, marshal.loads(self._data[key]))
        return None if scene is None else _scenario(data, scene)

    def _from_disk(self, cache: ScenarioCache, key: str, scenario_id: str) -> Scenario | None:
        data = cache.get(key)
        if data is None:
            return None
        key = data["scene"]
        scene = self._scenes.get(key)
        if scene is None:
            parts = cache.get(key)
            if parts is None:
                return None
            self._keep(key, marshal.dumps(parts))
            scene = self._scenes[key] = from_plain(Scene, parts)
        self._keep(scenario_id, marshal.dumps(data))
        return _scenario(data, scene)

    def _key(self, scene: Scene) -> str:
        """The key of a scene, which is kept under it."""
        latest = self._latest
        if latest is None or latest[0] is not scene:
            found = marshal.dumps(scene_data(scene))
            key = f"scene {sha256(found).hexdigest()}"
            self._keep(key, found)
            self._scenes[key] = scene
            self._latest = latest = scene, key
        return latest[1]

    def _keep(self, key: str, found: bytes) -> None:
        self._bytes += len(found) - len(self._data.pop(key, b""))
        self._data[key] = found
        while self._bytes > KEPT_BYTES:
            self._bytes -= len(self._data.popitem(last=False)[1])

    def __reduce__(self) -> tuple[type[KeptSuite], tuple[Suite]]:
        """Pickled without what can be read again."""
        return KeptSuite, (self.suite,)


def _scenario(data: dict[str, Any], scene: Scene) -> Scenario:
    """The scenario of a scene, from the rest of it and its hash."""
    content_hash = data.pop("hash")
    scenario = Scenario.model_validate({**data, "scene": scene})
    vars(scenario)["hash"] = content_hash
    return scenario
