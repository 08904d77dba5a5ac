"""A cross-encoder: reads two texts together and says how surely the first entails the second."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from detectors.encoder import INERT, digest_of
from detectors.errors import DetectorError
from detectors.profile import Entailment

_CLASSIFIERS: Final = ("ForSequenceClassification", "ForCausalLM")
"""Ends of the architectures whose weights hold the output; for others it would be drawn at random."""


class CrossEncoder:
    """A sentence-transformers CrossEncoder on the CPU. One pair at a time: a network's last bits change with the batch."""

    def __init__(self, settings: Entailment, model: Any) -> None:
        self._model, self._entailment = model, _place_of_entailment(settings.model, model)
        self._pieces = min(settings.pieces, model.max_seq_length or settings.pieces)
        model.max_seq_length = self._pieces
        self.windows = settings.windows
        self.digest = f"{digest_of(model)}:{self._entailment}"
        """Changes when the probabilities do."""

    def fits(self, premise: str, claim: str) -> bool:
        """Whether both together are read whole."""
        return len(self._model.tokenizer(premise, claim, truncation=False, verbose=False)["input_ids"]) <= self._pieces

    def entails(self, premise: str, claim: str) -> float:
        """The probability, 0 to 1, that `premise` entails `claim`. What does not fit is cut from the longer text's end."""
        from torch.nn import Identity  # noqa: PLC0415 - only where a model is

        logits = self._model.predict([(premise, claim)], activation_fn=Identity(), show_progress_bar=False)[0].astype(np.float64)
        if self._entailment is None:
            return float(np.exp(-np.logaddexp(0.0, -logits)))
        return float(np.exp(logits[self._entailment] - np.logaddexp.reduce(logits)))


def load_cross_encoder(settings: Entailment) -> CrossEncoder:
    """The cross-encoder from local files. Raises DetectorError when it cannot be loaded or says nothing of entailment."""
    try:
        model = _load(settings.model)
    except Exception as failure:
        raise DetectorError(
            f"the cross-encoder {settings.model} cannot be loaded from local files ({type(failure).__name__}); name a folder that holds "
            "one, or a model that was downloaded before, under entailment.model, or remove `entailment` from the profile"
        ) from None
    return CrossEncoder(settings, model)


def _load(name: str) -> Any:
    from sentence_transformers import CrossEncoder as Pretrained  # noqa: PLC0415 - heavy, and absent without a model
    from transformers.utils.logging import disable_progress_bar  # noqa: PLC0415

    disable_progress_bar()  # type: ignore[no-untyped-call]
    return Pretrained(name, device="cpu", **INERT).float().eval()


def _place_of_entailment(name: str, model: Any) -> int | None:
    """Which output stands for entailment; None when there is one output only."""
    kinds = model.config.architectures or ()
    if not any(kind.endswith(_CLASSIFIERS) for kind in kinds):
        raise DetectorError(f"{name} holds no classifier ({', '.join(kinds)}); name a cross-encoder trained for entailment")
    if model.num_labels == 1:
        return None
    labels: Sequence[str] = [model.config.id2label[place] for place in range(model.num_labels)]
    places = [place for place, label in enumerate(labels) if label.strip().casefold() == "entailment"]
    if len(places) != 1:
        raise DetectorError(
            f"the cross-encoder {name} has the labels {', '.join(labels)}; expected is exactly one named `entailment`, or a single output: "
            "name another model under entailment.model, or put the names right under id2label in the model's config.json"
        )
    return places[0]
