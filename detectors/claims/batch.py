"""The sentences of several answers, read together."""

from collections.abc import Iterable, Sequence

from detectors.claims.known import Known
from detectors.claims.reading import ClaimsReading
from detectors.claims.sentence import Part, Sentence
from detectors.encoder import Vector, Vectors, mean, tried
from detectors.lexicon import is_english
from detectors.models import Models
from detectors.parser import Token
from detectors.words import bounds


class Batch:
    """Each distinct sentence is encoded once, those that are known not at all; claims are parsed together."""

    def __init__(self, readings: Sequence[ClaimsReading], models: Models, known: Known[Sentence]) -> None:
        self._parser, self._memory = models.parser, known
        self._readers = models.encoder.digest, models.parser.digest
        words = {part.text: part.words for reading in readings for part in reading.parts}
        self._sentences = {text: sentence for text in words if (sentence := known.get((text, self._readers)))}
        further = {text for one in readings for text in one.texts}
        self._vectors = Vectors(
            models.encoder, further - words.keys(), words.keys() - self._sentences.keys(), lambda text: bounds(words[text])
        )
        claims = dict.fromkeys(part.text for reading in readings for part in reading.claims)
        self._parses = tried([text for text in claims if is_english(text)], models.parser.parse)

    def sentence(self, part: Part) -> Sentence:
        """What is read of it. Raises what the encoder raises for it."""
        if part.text not in self._sentences:
            self._sentences[part.text] = Sentence(part.text, part.words, self._vectors.spelled(part.text), self._parser)
            self._memory.add((part.text, self._readers), self._sentences[part.text])
        return self._sentences[part.text]

    def parse(self, claim: Part) -> list[Token]:
        """Its tokens, entities among them; none where the English parser does not apply. Raises what the parser raises for it."""
        if claim.text not in self._parses:
            self._parses[claim.text] = self._parser.parse([claim.text])[0] if is_english(claim.text) else []
        return self._parses[claim.text]

    def vector(self, text: str) -> Vector:
        """Of a sentence or of another text. Raises what the encoder raises for it."""
        known = self._sentences.get(text)
        return known.spelled.vector if known else self._vectors.of(text)

    def whole(self, parts: Iterable[Part]) -> Vector:
        """A whole text's unit vector: the mean of its sentences' by their words."""
        return mean((self.sentence(part).spelled.vector, len(part.words)) for part in parts)
