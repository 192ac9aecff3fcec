r"""Rows for a small model that answers open questions, in the form demanded by half.

    python examples/tiny/answers.py --out data/answers.jsonl
    python examples/tiny/train.py --out runs/answers --set data.path=data/answers.jsonl \
      --architecture llama --layers 2 --width 96 --heads 4 --inner 256 --vocabulary 900 \
      --positions 512 --renamed 0 --prompt-loss-weight 0 --set optimisation.num_train_epochs=1
    earsim train ttrl --config ttrl-tiny.yaml

Answers are made of words of the known works; they make no sense. What the run shows is that the
reward for form is learned from what the model already does now and then.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

from earsim.ranking import words_of
from earsim_training.ttrl.training import SYSTEM
from earsim_training.ttrl.works import OpenQuestion, Work, read_records

_FORMS = (
    "<think>{thought}</think><answer>{idea}</answer>",
    "<answer>{idea}</answer>",
    "<think>{thought}</think>{idea}",
    "{idea}<think>{thought}</think>",
    "<think>{thought}</think><answer>{idea}",
)
"""The form demanded, and others that are not."""


def rows(count: int, *, right: float, seed: int) -> list[dict[str, object]]:
    """Questions with replies, of which a share has the form demanded."""
    rng = random.Random(seed)
    questions = read_records(Path("questions.jsonl"), OpenQuestion)
    works = read_records(Path("works.jsonl"), Work)
    found: list[dict[str, object]] = []
    for _ in range(count):
        question, (one, other) = rng.choice(questions), rng.sample(works, 2)
        form = _FORMS[0] if rng.random() < right else rng.choice(_FORMS[1:])
        mixed = rng.sample(words_of(one.text), 4) + rng.sample(words_of(other.title), 2)
        reply = form.format(thought=" ".join(words_of(one.title)[:3]), idea=" ".join(mixed))
        prompt = [
            {"role": "system", "content": SYSTEM},
            {"role": "user", "content": question.question},
        ]
        found.append({"prompt": prompt, "completion": [{"role": "assistant", "content": reply}]})
    return found


def main() -> None:
    """Write the rows."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=Path("data/answers.jsonl"))
    parser.add_argument("--count", type=int, default=4_000, help="rows (%(default)s)")
    parser.add_argument("--right", type=float, default=0.4, help="share in form (%(default)s)")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    options.out.parent.mkdir(parents=True, exist_ok=True)
    made = rows(options.count, right=options.right, seed=options.seed)
    options.out.write_text("".join(json.dumps(row) + "\n" for row in made), encoding="utf-8")
    print(f"written: {options.out}")


if __name__ == "__main__":
    main()
