"""All scenes of a run, many at a time, with a result that does not depend on their order.

Only answers and certificates are kept; a resumed run repeats the same steps on the same answers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from earsim.certificates.file import CertificateFile
from earsim.errors import FileError, Finding, ServerFault, UsageError
from earsim.evaluation.runs.sweep import Price
from earsim.parallel import cores
from earsim.schema.files.document import Document
from earsim.schema.files.load import validated
from earsim_agents.client import AnswerCache, Client
from earsim_agents.client.request import ChatRequest
from earsim_generators.llm.certification import CertifierPool
from earsim_generators.llm.folder import Sorted, WritingFolder
from earsim_generators.llm.memory import PlaceMemory
from earsim_generators.llm.repair_loop import RepairLoop, opening_of, request_of
from earsim_generators.llm.scene_request import TextSeed, read_texts, scene_request_of
from earsim_generators.llm.scene_writer import GENERATOR, SceneResult, SceneWriter, concept_inputs
from earsim_generators.llm.settings import ServerSettings, Stage, WritingSettings, model_settings
from earsim_generators.llm.usage import UsageLedger

_LEAST_PATIENCE, _MOST_PATIENCE = 3, 16
"""Scenes that may fail one after another, for want of an answer, before the server is gone."""


class Pipeline:
    """A run.

    Attributes:
        results: Of finished scenes, by number.
        unfinished: Errors of scenes for which no server answered; a resumed run asks again.
    """

    def __init__(
        self,
        settings: WritingSettings,
        serving: ServerSettings,
        folder: WritingFolder,
        *,
        texts: Sequence[TextSeed],
        prices: Mapping[str, Price] | None = None,
    ) -> None:
        """Prepare a run; nothing is asked yet.

        Raises:
            UsageError: An option makes no sense.
        """
        self.settings = settings
        self.results: dict[int, SceneResult] = {}
        self.unfinished: dict[int, str] = {}
        self.ledger = UsageLedger(prices or {})
        self._serving = serving
        self.folder = folder
        self._texts = tuple(texts)
        self._models = model_settings(settings, serving)
        self._in_a_row = 0

    async def run(self, seen: Callable[[SceneResult], None] = lambda result: None) -> None:
        """Write every scene; `seen` is called with each result.

        Raises:
            UsageError: The folder holds another run, or the key is not in the environment.
            ServerFault: The server is gone; its answers are kept.
            FileError: The file of answers or of certificates is something else.
            OSError: The disk is full, or a process was ended.
        """
        for model in self._models.values():
            model.key()
        self.folder.open(self.described(), self.settings.n)
        cache = AnswerCache(self._serving.cache or self.folder.answers)
        proofs = CertificateFile(self.folder.proofs)
        jobs = self._serving.jobs or cores()
        async with Client(cache) as client:
            with CertifierPool(proofs, nodes=self.settings.nodes, jobs=jobs) as prover:
                writer = RepairLoop(self.settings, self._models, client, self.ledger)
                memory = PlaceMemory()
                scenes = SceneWriter(writer, prover, memory, self._common())
                await self._drive(scenes, memory, seen)

    async def _drive(
        self, scenes: SceneWriter, memory: PlaceMemory, seen: Callable[[SceneResult], None]
    ) -> None:
        items = iter(range(self.settings.n))

        async def work() -> None:
            for item in items:  # in order, so whoever waits for earlier ones waits for workers
                places = await memory.before(item)
                if places is None:
                    memory.leave_open(item)
                    self.unfinished[item] = "an earlier scene is not decided"
                    continue
                request = scene_request_of(self.settings, self._texts, item)
                try:
                    result = await scenes.write(request, places)
                except ServerFault as error:
                    memory.leave_open(item)
                    self._note_fault(item, error)
                else:
                    self._in_a_row = 0
                    self.results[item] = result
                    seen(result)

        count = min(self.settings.n, self._serving.concurrency)
        workers = [asyncio.ensure_future(work()) for _ in range(count)]
        try:
            await asyncio.gather(*workers)
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)

    def _note_fault(self, item: int, error: ServerFault) -> None:
        """One scene without an answer may be bad luck; many in a row are a server that is gone."""
        self.unfinished[item] = str(error)
        self._in_a_row += 1
        patience = max(_LEAST_PATIENCE, min(_MOST_PATIENCE, self._serving.concurrency))
        if self._in_a_row >= min(patience, self.settings.n):
            raise ServerFault(f"no answers: {error}")

    def _common(self) -> dict[str, Any]:
        """Fields that the provenance of all scenarios shares."""
        parameters = self._models[Stage.CONCEPT].parameters()
        del parameters["model"]
        return {
            "generator": GENERATOR,
            "seed": self.settings.seed,
            "repairs": self.settings.repairs,
            "structured": self.settings.structured,
            "parameters": parameters,
        }

    def save(self) -> Sorted:
        """Write the suite of all that is decided, and what was left out of it."""
        return self.folder.write(self.results.values(), self.ledger)

    def first_request(self) -> ChatRequest:
        """The first request of the run."""
        request = scene_request_of(self.settings, self._texts, 0)
        stage, model = Stage.CONCEPT, self._models[Stage.CONCEPT]
        messages = opening_of(self.settings, stage, concept_inputs(request))
        return request_of(self.settings, model, stage, request.scene_id, 1, messages)[0]

    def described(self) -> dict[str, Any]:
        """Everything that decides the suite, for the manifest."""
        data = self.settings.model_dump(mode="json", exclude={"n", "models", "options"})
        stages = {stage.value: model.parameters() for stage, model in self._models.items()}
        texts = [[seed.name, seed.sha256] for seed in self._texts]
        return {"generator": GENERATOR, **data, "requests": stages, "texts": texts}


_PRICES = ("input", "output", "cached_input")


def open_pipeline(
    out: Path,
    *,
    models: Sequence[str],
    writing: Mapping[str, Any],
    serving: Mapping[str, Any],
    texts: Path | None = None,
    prices: Sequence[str] = (),
) -> Pipeline:
    """A pipeline that writes into a folder; nothing is asked or written yet.

    Args:
        out: The folder.
        models: One for each stage.
        writing: Further fields of `WritingSettings`.
        serving: Fields of `ServerSettings`; None for defaults.
        texts: A folder of text seeds; ours when None.
        prices: ``[MODEL=]IN,OUT[,CACHED]`` of a million tokens.

    Raises:
        UsageError: A setting is not valid.
        FileError: The texts cannot be read.
    """
    asked = {**writing, "models": dict(zip(Stage, models, strict=True))}
    told = {key: value for key, value in serving.items() if value is not None}
    return Pipeline(
        _validated(asked, WritingSettings),
        _validated(told, ServerSettings),
        WritingFolder(out),
        texts=read_texts(texts),
        prices=dict(map(_price, prices)),
    )


def _validated(data: dict[str, Any], model: Any) -> Any:
    try:
        return validated(Document("the settings", data), model)
    except FileError as error:
        raise UsageError(str(error)) from None


def _price(text: str) -> tuple[str, Price]:
    """A price with its model; without a name it is that of every model that has none."""
    model, _, numbers = text.rpartition("=")
    try:
        values = [float(number) for number in numbers.split(",")]
        if not 2 <= len(values) <= len(_PRICES):
            raise FileError(text, [Finding(text, "", f"{len(values)} numbers")])
        data = dict(zip(_PRICES, values, strict=False))
        return model, validated(Document("the price", data), Price)
    except (ValueError, FileError):
        raise UsageError(f"price {text}: expected [MODEL=]IN,OUT[,CACHED]") from None
