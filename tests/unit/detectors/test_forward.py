"""Both ways to run the model give the same vectors, and a text's own is the same to the last bit in every batch."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from detectors.encoder import PACKAGED, load_model
from detectors.forward import Forward, Packed, Padded, forward
from detectors.profile import Encoding, load_profile

TEXTS = (
    "",
    "Yes.",
    "The ferry carries 40 cars.",
    "The ferry carries 41 cars.",
    "It sails at nine, and at noon on Sundays, from the old pier.",
    "lighthouse " * 400,
)

pytestmark = pytest.mark.models


@pytest.fixture(scope="module")
def model() -> Any:
    return load_model(PACKAGED)


@pytest.fixture(scope="module")
def encoding() -> Encoding:
    return load_profile("default").encoding


@pytest.fixture(scope="module")
def pieces(model: Any, encoding: Encoding) -> list[list[int]]:
    read: list[list[int]] = model.tokenizer(list(TEXTS), truncation=True, max_length=encoding.pieces)["input_ids"]
    return read


def read(way: Forward, pieces: list[list[int]]) -> list[tuple[np.ndarray, np.ndarray]]:
    found: dict[int, tuple[np.ndarray, np.ndarray]] = {}
    for places in way.batches([len(text) for text in pieces]):
        for place, (vector, states) in zip(places, way([pieces[i] for i in places]), strict=True):
            found[place] = vector / np.linalg.norm(vector), states[: len(pieces[place])]
    return [found[place] for place in range(len(pieces))]


def test_the_packaged_model_is_read_without_padding(model: Any, encoding: Encoding) -> None:
    assert isinstance(forward(model, encoding), Packed)


def test_packed_and_padded_agree(model: Any, encoding: Encoding, pieces: list[list[int]]) -> None:
    pairs = zip(read(Packed(model, encoding), pieces), read(Padded(model, encoding), pieces), strict=True)
    for (packed, packed_states), (padded, padded_states) in pairs:
        np.testing.assert_allclose(packed, padded, atol=1e-5)
        np.testing.assert_allclose(packed_states, padded_states, atol=1e-4)


@pytest.mark.parametrize("way", [Packed, Padded])
def test_a_text_alone_and_in_any_company_gives_the_same_bits(
    way: type[Packed | Padded], model: Any, encoding: Encoding, pieces: list[list[int]]
) -> None:
    together = read(way(model, encoding), pieces * 3)
    for company in ([pieces[2]], pieces[1:4], pieces[::-1], [pieces[2]] * 7):
        for text, (vector, states) in zip(company, read(way(model, encoding), company), strict=True):
            expected, expected_states = together[pieces.index(text)]
            assert np.array_equal(vector, expected)
            assert np.array_equal(states, expected_states)


def test_the_shortest_text_alone_gives_the_bits_that_it_gives_in_company(model: Any, encoding: Encoding) -> None:
    short, way = [[101, 2748, 102], [101, 102], [101, 3000, 102]], Packed(model, encoding)
    together = read(way, short * 40)
    for place, text in enumerate(short):
        assert np.array_equal(read(way, [text])[0][0], together[place][0])


@pytest.mark.parametrize("way", [Packed, Padded])
def test_every_text_is_in_one_batch_of_bounded_size(way: type[Packed | Padded], model: Any, encoding: Encoding) -> None:
    lengths = [3, 250, 7, 7, 256, 90, 3, 1] * 40
    batches = list(way(model, encoding).batches(lengths))
    assert sorted(place for batch in batches for place in batch) == list(range(len(lengths)))
    assert all(sum(lengths[place] for place in batch) <= encoding.batch_pieces for batch in batches)


class OtherModel(list[Any]):
    """Modules of a sentence-transformers model, on a device."""

    device = SimpleNamespace(type="cpu")


@pytest.mark.parametrize(
    ("config", "pooling", "device"),
    [({"hidden_act": "relu"}, "mean", "cpu"), ({}, "cls", "cpu"), ({"is_decoder": True}, "mean", "cpu"), ({}, "mean", "cuda")],
)
def test_other_models_and_a_gpu_are_read_with_padding(
    model: Any, encoding: Encoding, config: dict[str, Any], pooling: str, device: str
) -> None:
    from sentence_transformers.models import Pooling
    from transformers import BertConfig, BertModel

    bert = BertModel(BertConfig(hidden_size=24, num_hidden_layers=1, num_attention_heads=2, intermediate_size=48, **config))
    other = OtherModel([SimpleNamespace(auto_model=bert), Pooling(24, pooling_mode=pooling)])
    other.device = SimpleNamespace(type=device)
    other.tokenizer = model.tokenizer
    assert isinstance(forward(other, encoding), Padded)
