"""Exact match of a short answer (EM), and multiple-choice accuracy (MCA).

SGI (arXiv 2512.16969) counts an answer as right only when all of it is.
"""

from __future__ import annotations

import re
import unicodedata
from decimal import ROUND_HALF_EVEN, Decimal, InvalidOperation

_LONGEST = 4_000
_SEPARATOR = re.compile(r"\s*[,;]\s*")
_CHOICE = re.compile(r"\(?([a-z])\)?[.:]?", re.IGNORECASE)


def normalized(answer: str) -> str:
    """An answer without differences of case, spacing and final punctuation."""
    text = unicodedata.normalize("NFKC", answer[:_LONGEST]).casefold()
    return _SEPARATOR.sub(",", " ".join(text.split())).strip(" .,;")


def exact_match(
    answer: str, reference: str, *, numeric: bool = False, digits: int | None = None
) -> bool:
    """Whether an answer is the reference.

    Args:
        answer: as given; what follows its first 4,000 characters is not read.
        reference: the right answer.
        numeric: compare a list of numbers as numbers, so that ``3.2`` is ``3.20``.
        digits: decimals that are demanded; numbers are rounded to them, half to even.
    """
    ours, right = normalized(answer), normalized(reference)
    if not numeric:
        return ours == right
    found, wanted = _numbers(ours, digits), _numbers(right, digits)
    return found is not None and found == wanted


def _numbers(text: str, digits: int | None) -> list[Decimal] | None:
    """The numbers of a list; None where an item is none."""
    found = []
    for part in text.split(","):
        try:
            number = Decimal(part)
            if not number.is_finite():
                return None
            if digits is not None:
                number = number.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_EVEN)
        except InvalidOperation:
            return None
        found.append(number)
    return found


def chosen(answer: str, options: int) -> str | None:
    """The option that an answer names, as a lower-case letter; None where it names none."""
    match = _CHOICE.fullmatch(normalized(answer))
    if match is None or ord(match[1]) - ord("a") >= options:
        return None
    return match[1]


def right_choice(answer: str, reference: str, *, options: int) -> bool:
    """Whether an answer names the right one of several options (MCA), such as ``(B)``."""
    named = chosen(answer, options)
    return named is not None and named == chosen(reference, options)
