"""A sentence-transformers model's pass over texts in word pieces, so that no text's result depends on its neighbours.

`Packed` lays texts end to end, without padding: a quarter less time than `Padded`, which serves every other model and a GPU.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby
from math import ceil
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from detectors.profile import Encoding

_FEWEST: Final = 64
"""Pieces of a pass; fewer are filled up, since a product of few rows is computed in another order, with other last bits."""

Pieces = Sequence[int]
"""A text's word pieces by number, the special ones among them."""


class Pass(NamedTuple):
    """What the model makes of a text."""

    vector: NDArray[np.float32]
    """(dimensions,), not yet of length 1."""
    states: NDArray[np.float32]
    """(pieces or more, dimensions): its pieces in the layer of the words."""


class Forward(Protocol):
    """One way to run the model. A text's result is the same to the last bit in every batch that `batches` gives."""

    def batches(self, lengths: Sequence[int]) -> Iterator[list[int]]:
        """The places of texts with so many pieces each, by batches."""

    def __call__(self, texts: Sequence[Pieces]) -> Iterator[Pass]:
        """One result a text of a batch, in order."""


def forward(model: Any, encoding: Encoding) -> Forward:
    """The fastest way for `model`."""
    return Packed(model, encoding) if _is_plain_bert(model) and model.device.type == "cpu" else Padded(model, encoding)


class Padded:
    """Texts padded to a multiple of `encoding.bucket` pieces beside texts of the same padded length: that fixes the order of all sums."""

    def __init__(self, model: Any, encoding: Encoding) -> None:
        self._model, self._layer = model, encoding.word_layer
        self._longest, self._bucket, self._most = encoding.pieces, encoding.bucket, encoding.batch_pieces

    def batches(self, lengths: Sequence[int]) -> Iterator[list[int]]:
        """See Forward."""
        places: defaultdict[int, list[int]] = defaultdict(list)
        for place, length in enumerate(lengths):
            places[self._padded(length)].append(place)
        for length, alike in sorted(places.items()):
            rows = max(1, self._most // length)
            yield from (alike[first : first + rows] for first in range(0, len(alike), rows))

    def __call__(self, texts: Sequence[Pieces]) -> Iterator[Pass]:
        """See Forward."""
        import torch  # noqa: PLC0415 - only where a model is

        length = self._padded(len(texts[0]))
        features = self._model.tokenizer.pad(
            {"input_ids": [list(text) for text in texts]}, padding="max_length", max_length=length, return_tensors="pt", verbose=False
        )
        with torch.inference_mode():
            features = features.to(self._model.device)
            layers = self._model[0].auto_model(**features, output_hidden_states=True).hidden_states
            pooled = {**features, "token_embeddings": layers[-1]}
            for module in list(self._model)[1:]:
                pooled = module(pooled)
        states = layers[min(self._layer, len(layers) - 1)].cpu().numpy()
        yield from map(Pass, pooled["sentence_embedding"].cpu().numpy(), states)

    def _padded(self, length: int) -> int:
        return min(self._longest, self._bucket * ceil(length / self._bucket))


class Packed:
    """BERT (Devlin et al. 2019) with mean pooling: every product over all pieces at once, attention among the texts of one length."""

    def __init__(self, model: Any, encoding: Encoding) -> None:
        import torch  # noqa: PLC0415 - only where a model is

        bert = model[0].auto_model
        self._layer, self._most = encoding.word_layer, encoding.batch_pieces
        self._heads: Final[int] = bert.config.num_attention_heads
        self._embeddings, self._layers = bert.embeddings, bert.encoder.layer
        with torch.inference_mode():
            self._positions = bert.embeddings.position_embeddings.weight + bert.embeddings.token_type_embeddings.weight[0]
            attention = [layer.attention.self for layer in self._layers]
            self._weights = [torch.cat([one.query.weight, one.key.weight, one.value.weight]) for one in attention]
            self._biases = [torch.cat([one.query.bias, one.key.bias, one.value.bias]) for one in attention]

    def batches(self, lengths: Sequence[int]) -> Iterator[list[int]]:
        """See Forward."""
        batch: list[int] = []
        size = 0
        for place in sorted(range(len(lengths)), key=lengths.__getitem__):
            if batch and size + lengths[place] > self._most:
                yield batch
                batch, size = [], 0
            batch.append(place)
            size += lengths[place]
        if batch:
            yield batch

    def __call__(self, texts: Sequence[Pieces]) -> Iterator[Pass]:
        """See Forward. Texts of one length stand side by side."""
        import torch  # noqa: PLC0415

        given = texts
        if (missing := _FEWEST - sum(map(len, texts))) > 0:
            texts = [*texts, [0] * missing]
        spans = _spans([len(text) for text in texts])
        with torch.inference_mode():
            state = self._embedded(texts)
            states = [state]
            for number in range(len(self._layers)):
                state = self._through(number, state, spans)
                states.append(state)
            vectors = torch.cat([state[at : at + rows * length].view(rows, length, -1).mean(1) for at, rows, length in spans]).numpy()
        words, at = states[min(self._layer, len(states) - 1)].numpy(), 0
        for vector, text in zip(vectors, given, strict=False):
            yield Pass(vector, words[at : at + len(text)])
            at += len(text)

    def _embedded(self, texts: Sequence[Pieces]) -> Any:
        import torch  # noqa: PLC0415

        pieces = torch.tensor([piece for text in texts for piece in text])
        places = torch.tensor([place for text in texts for place in range(len(text))])
        return self._embeddings.LayerNorm(self._embeddings.word_embeddings(pieces) + self._positions[places])

    def _through(self, number: int, state: Any, spans: "list[Span]") -> Any:
        import torch  # noqa: PLC0415
        from torch.nn.functional import gelu, linear, scaled_dot_product_attention  # noqa: PLC0415

        layer, mixed = self._layers[number], torch.empty_like(state)
        asked = linear(state, self._weights[number], self._biases[number])
        for at, rows, length in spans:
            parts = asked[at : at + rows * length].view(rows, length, 3, self._heads, -1).permute(2, 0, 3, 1, 4)
            mixed[at : at + rows * length] = scaled_dot_product_attention(*parts).transpose(1, 2).reshape(rows * length, -1)
        state = layer.attention.output.LayerNorm(layer.attention.output.dense(mixed).add_(state))
        return layer.output.LayerNorm(layer.output.dense(gelu(layer.intermediate.dense(state))).add_(state))


class Span(NamedTuple):
    """Texts of one length that stand side by side."""

    at: int
    """Place of their first piece among all."""
    rows: int
    length: int


def _spans(lengths: Sequence[int]) -> list[Span]:
    spans, at = [], 0
    for length, alike in groupby(lengths):
        spans.append(Span(at, sum(1 for _ in alike), length))
        at += spans[-1].rows * length
    return spans


def _is_plain_bert(model: Any) -> bool:
    bert, [pooling, *others] = model[0].auto_model, list(model)[1:] or [None]
    return (
        type(bert).__name__ == "BertModel"
        and bert.config.hidden_act == "gelu"
        and not bert.config.is_decoder
        and type(pooling).__name__ == "Pooling"
        and pooling.pooling_mode == "mean"
        and all(type(other).__name__ == "Normalize" for other in others)
    )
