"""A cross-encoder of two small layers with random weights, written as a user's own would be."""

from collections.abc import Sequence
from pathlib import Path

import torch
from transformers import BertConfig, BertForSequenceClassification, BertModel, BertTokenizerFast

WORDS = "[PAD] [UNK] [CLS] [SEP] [MASK] the a of in by was built lighthouse orvane lamp reaches miles museum marta 1911 24 who and when ? ."
POSITIONS = 64


def write(folder: Path, labels: Sequence[str] = ("contradiction", "entailment", "neutral"), *, seed: int = 0, bare: bool = False) -> Path:
    """A model in `folder` with an output for each label; `bare`: without the layer that gives them."""
    folder.mkdir(parents=True, exist_ok=True)
    vocabulary = folder / "vocab.txt"
    vocabulary.write_text("\n".join(WORDS.split()))
    config = BertConfig(
        vocab_size=len(WORDS.split()),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=POSITIONS,
        initializer_range=0.5,
        id2label=dict(enumerate(labels)),
        label2id={label: place for place, label in enumerate(labels)},
    )
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        model = (BertModel if bare else BertForSequenceClassification)(config)
    model.save_pretrained(folder)
    BertTokenizerFast(str(vocabulary)).save_pretrained(folder)
    return folder
