"""Named entities of a text."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from detectors.errors import DetectorError

_UNNEEDED = ("tagger", "parser", "attribute_ruler", "lemmatizer", "senter")


class EntityReader:
    """A spaCy pipeline's NER. One text at a time: its network's last bits change with the batch, and with them a close call."""

    def __init__(self, pipeline: Any) -> None:
        self._pipeline = pipeline
        self.digest = _digest_of(pipeline)

    def entities(self, text: str) -> list[str]:
        """The entities as they stand in `text`, in order. Raises ValueError beyond a million characters (spaCy's limit)."""
        with self._pipeline.memory_zone():  # else the vocabulary keeps every word it has ever seen
            return [entity.text for entity in self._pipeline(text).ents]


def load_entities(model: str) -> EntityReader:
    """The reader of a spaCy pipeline. Raises DetectorError when it is not installed."""
    return EntityReader(load_pipeline(model, exclude=_UNNEEDED))


def load_pipeline(model: str, exclude: Sequence[str] = ()) -> Any:
    """A spaCy pipeline without the components `exclude`. Raises DetectorError when it is not installed."""
    import spacy  # noqa: PLC0415 - heavy

    try:
        return spacy.load(model, exclude=list(exclude))
    except OSError:
        raise DetectorError(f"the spaCy pipeline {model} is not installed; install it or name another under entities.model") from None


def _digest_of(pipeline: Any) -> str:
    digest = sha256(f"{pipeline.meta['name']} {pipeline.meta['version']}".encode())
    for _, component in pipeline.pipeline:
        for node in component.model.walk():
            for name in sorted(node.param_names):
                if node.has_param(name):
                    digest.update(name.encode() + node.get_param(name).tobytes())
    return digest.hexdigest()
