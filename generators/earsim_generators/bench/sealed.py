"""Sealed splits: suites of a secret seed, to which a hash in the recipe commits beforehand.

Nobody can train on them or look at them before they are played, and nobody who holds the secret
can choose another one afterwards. What is written while they are sealed names the commitment, not
the seed. Once the secret is published, everyone can make the suite again and compare.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
from pathlib import Path

from earsim.errors import FileError, Finding, UnknownName, UsageError
from earsim.schema.files.text import read_text
from earsim.schema.leaderboard import SuiteSignature, sha256_of
from earsim.suites import open_suite
from earsim.suites.signature import hashes_of, signature_of
from earsim_generators.bench.builder import build
from earsim_generators.bench.recipe import BenchmarkRecipe, SealedPart, SuitePart
from earsim_generators.suites.folder import finished, packed
from earsim_generators.suites.manifest import asked

_SECRET = re.compile(r"[0-9a-f]{64}")
_MOST_BYTES = 1_000


def new_secret(path: Path) -> str:
    """Draw a secret and write it to a file that nobody else can read; returns it.

    Raises:
        UsageError: The file is there already.
    """
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise UsageError(f"{path} is there already; a secret is never written over") from None
    secret = secrets.token_hex(32)
    with os.fdopen(file, "w", encoding="ascii") as out:
        out.write(f"{secret}\n")
    return secret


def read_secret(path: Path) -> str:
    """The secret in a file.

    Raises:
        FileError: It holds none.
    """
    text = read_text(path, max_bytes=_MOST_BYTES).strip()
    if not _SECRET.fullmatch(text):
        expected = "64 hexadecimal digits, as `earsim seal new` writes them"
        raise FileError(str(path), [Finding(str(path), "", "is no secret", expected)])
    return text


def commitment(recipe: BenchmarkRecipe, name: str, secret: str) -> str:
    """SHA-256 of the JSON of a secret and of what it is for.

    The secret has 256 random bits, so its hash tells nothing of it.
    """
    benchmark = f"{recipe.name}/{recipe.version}"
    return sha256_of({"benchmark": benchmark, "suite": name, "secret": secret})


def opened(recipe: BenchmarkRecipe, name: str, secret: str) -> BenchmarkRecipe:
    """The recipe of a sealed suite alone, with its seed.

    Raises:
        UnknownName: The recipe has no such sealed suite.
        UsageError: This is not the secret that the recipe commits to.
    """
    part = _part(recipe, name)
    if commitment(recipe, name, secret) != part.commitment:
        raise UsageError(f"this is not the secret that the commitment of {name} is to")
    whole = recipe.model_dump(by_alias=True, exclude={"parts", "mini", "sealed", "paraphrased"})
    digest = hmac.digest(bytes.fromhex(secret), name.encode(), hashlib.sha256)
    return BenchmarkRecipe.model_validate(
        {
            **whole,
            "seed": int.from_bytes(digest),
            "seal": part.commitment,
            "parts": {name: part.model_dump(include={*SuitePart.model_fields})},
        }
    )


def make_sealed(
    recipe: BenchmarkRecipe, name: str, secret: str, folder: Path, *, jobs: int | None = None
) -> SuiteSignature:
    """Write a sealed suite into a folder, unless it is there; returns its signature.

    Raises:
        UnknownName: The recipe has no such sealed suite.
        UsageError: This is not its secret, or these are not the scenarios that were signed.
    """
    alone = opened(recipe, name, secret)
    path = folder / packed(name)
    if finished(folder, asked(alone.settings)) is None:
        build(alone, folder, jobs=jobs)
    found = signature_of(name, hashes_of(open_suite(path)))
    signed = _part(recipe, name).signature
    if signed is not None and signed != found.sha256:
        raise UsageError(
            f"{name}: the recipe was signed for other scenarios ({signed[:12]}..., not "
            f"{found.sha256[:12]}...); make it with the version of the generator that it was "
            "signed with"
        )
    return found


def _part(recipe: BenchmarkRecipe, name: str) -> SealedPart:
    if name not in recipe.sealed:
        raise UnknownName("sealed suite", name, recipe.sealed)
    return recipe.sealed[name]
