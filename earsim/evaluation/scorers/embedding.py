"""Similarity of texts: the interface of an embedder, and TF-IDF where no model is at hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from earsim.errors import MissingExtra

Vectors = NDArray[np.float64]


class Embedder(Protocol):
    """Maps texts to vectors.

    Attributes:
        name: in records; scores of different embedders cannot be compared.
    """

    name: str

    def __call__(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors, shape (texts, dimension); zero for a text without content."""
        ...


class TfIdf:
    """Word weights by their rarity in a corpus, after Salton; word order and meaning are lost."""

    name = "tf-idf"

    def __init__(self, corpus: Sequence[str]) -> None:
        """Learn the rarity of words.

        Args:
            corpus: at least one text with a word; words that it lacks count for nothing.

        Raises:
            MissingExtra: scikit-learn is not installed.
            ValueError: The corpus has no words.
        """
        try:
            from sklearn.feature_extraction.text import TfidfVectorizer
        except ModuleNotFoundError as error:
            raise MissingExtra("scikit-learn", "science") from error
        self._vectorizer = TfidfVectorizer(sublinear_tf=True, stop_words="english")
        self._vectorizer.fit(list(corpus))

    def __call__(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors, shape (texts, words of the corpus)."""
        found: Vectors = self._vectorizer.transform(list(texts)).toarray()
        return found


def mean_cosine(embed: Embedder, text: str, others: Sequence[str]) -> float:
    """Mean cosine of a text to others.

    Raises:
        ValueError: There are no others.
    """
    if not others:
        raise ValueError("nothing to compare with")
    vectors = embed([text, *others])
    return float(np.mean(vectors[1:] @ vectors[0]))


def mean_pairwise_cosine(embed: Embedder, texts: Sequence[str]) -> float:
    """Mean cosine over all pairs of texts; 0 with fewer than two."""
    if len(texts) < 2:
        return 0.0
    vectors = embed(texts)
    first, second = np.triu_indices(len(texts), k=1)
    return float(np.mean(np.sum(vectors[first] * vectors[second], axis=1)))
