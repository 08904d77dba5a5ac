"""A profile: everything about a detector that can be tuned, read from configs/profiles."""

from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from detectors.calibration import Calibration, read_calibration
from detectors.claims.settings import Claims
from detectors.errors import ProfileError
from detectors.lexicon import lexicon_digest
from detectors.patterns import Phrase
from detectors.rules import Rules, load_rules
from detectors.settings_file import Count, Section, Share, Weight, read

ModelName = Literal["cross_encoder", "encoder", "parser"]


def _once_each(names: tuple[ModelName, ...]) -> tuple[ModelName, ...]:
    if twice := [name for place, name in enumerate(names) if name in names[:place]]:
        raise ValueError(f"{twice[0]} stands twice; a model is left out once")
    return names


class Encoding(Section):
    """How texts become vectors."""

    model: str
    """A sentence-transformers model: `all-MiniLM-L6-v2` is the packaged one; else a local name or path."""
    pieces: Count
    """Most word pieces in one window; a seed's encoder cuts there."""
    overlap: Annotated[int, Field(ge=0)]
    """Word pieces that two neighbouring windows share."""
    bucket: Count
    """A text is padded to a multiple of this many word pieces: its own length alone decides the shape that it is computed in."""
    word_layer: Annotated[int, Field(ge=0)] = 3
    """Layer whose states make words' vectors; the last one when there are fewer."""
    batch_pieces: Count
    """Word pieces in one forward pass: bounds memory."""
    fallback_dimensions: Count
    """Dimensions of the TF-IDF vectors that serve when no model can be loaded."""

    @model_validator(mode="after")
    def _advances(self) -> Self:
        if self.overlap * 2 > self.pieces:
            raise ValueError("overlap: must be at most half of `pieces`")
        return self


class Entities(Section):
    """How named entities are found."""

    model: str
    """A spaCy pipeline by package name."""


class Entailment(Section):
    """A cross-encoder of your own: the claims' signal `entailment`."""

    model: str
    """A sentence-transformers CrossEncoder, by local name or path, with a label `entailment` or a single output."""
    windows: Count = 2
    """Stretches of the contexts that each claim is held against."""
    pieces: Count = 256
    """Most word pieces of stretch and claim together."""


class Limits(Section):
    """How much of an answer is read, in characters, in contexts and samples five for a Chinese, Japanese or Korean one.

    What is beyond is counted as truncated, never silently dropped.
    """

    response: Count
    question: Count
    contexts: Count
    """All contexts together, in rank order."""
    first_contexts: Count | None = None
    """Read this many contexts only; null reads all."""
    samples: Count
    """All further samples together."""
    sentences: Count = 10_000
    """Sentences of the response that are looked at one by one; the whole is read in any case."""


class Frequency(Section):
    """The fixed idf: words in order of falling frequency, read by Zipf's law."""

    words: Annotated[str, Field(pattern="^[a-z]+$")]
    """A word list in configs/frequency."""
    document_tokens: Count
    """Length of the document whose document frequency is meant."""
    scale: Annotated[float, Field(ge=1)]
    """Zipf's normaliser: the word of rank r makes up 1 / (scale x r) of a text."""


class Attribution(Section):
    """Weights of attribution."""

    semantic: Weight
    overlap: Weight


class Specificity(Section):
    """Weights of specificity."""

    length: Weight
    full_length: Count
    """Tokens from which on length counts in full."""
    richness: Weight
    hedge: Weight
    """Taken off for each hedge phrase."""
    most_hedging: Weight
    """Most that hedges take off."""


class Faithfulness(Section):
    """Weights of faithfulness."""

    attribution: Weight
    specificity: Weight


class Relevance(Section):
    """Weights of relevance."""

    semantic: Weight
    best_sentence: Weight
    overlap: Weight


class ContextQuality(Section):
    """Weights of context quality."""

    f1: Weight
    semantic: Weight


class Final(Section):
    """Weights of the final score; absent parts drop out and the rest is divided by its sum."""

    faithfulness: Weight
    relevance: Weight
    context_quality: Weight
    consistency: Weight
    off_topic_below: Share
    """Relevance below it multiplies the final score by `off_topic_factor`."""
    off_topic_factor: Share
    unfaithful_below: Share
    """Faithfulness below it caps the final score at `unfaithful_cap`."""
    unfaithful_cap: Share


class Grounded(Section):
    """Weights of the hybrid's score; absent measures drop out and the rest is divided by its sum."""

    cosine: Weight
    ner_overlap: Weight
    tfidf_js: Weight


class Weights(Section):
    """The weights of the gatekeeper (seed 000) and of the hybrid (seed 003)."""

    attribution: Attribution
    specificity: Specificity
    faithfulness: Faithfulness
    relevance: Relevance
    context_quality: ContextQuality
    final: Final
    grounded: Grounded


class Abstention(Section):
    """What makes an answer one without a checkable claim. Phrases: see `Phrases`."""

    refusals: tuple[Phrase, ...] = ()
    pleasantries: tuple[Phrase, ...] = ()
    """Greetings, thanks, apologies, offers of help: no claim, but no refusal by themselves."""
    connectors: tuple[Phrase, ...] = ()
    """Words that open a new clause, such as "but"."""
    most_tokens: Count = 40
    """A refusing clause with more tokens than this says something besides."""
    claim_tokens: Count = 5
    """What follows a refusal in the same sentence is a claim from this many tokens on."""


def _calibration(given: object) -> object:
    return read_calibration(Path(given)) if isinstance(given, str) else given


def _policy(given: str) -> Rules:
    try:
        return load_rules(given)
    except ProfileError as wrong:
        raise ProfileError(f"policy: {wrong}") from None


class Profile(Section):
    """One detector's whole configuration."""

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$")]
    """Stands in every decision and begins the fingerprint."""
    detector: str
    """The registered kind of detector."""
    policy: str
    """A policy in configs/policies, or a file's path."""
    rules: Rules
    """That policy's content."""
    calibration: Annotated[Calibration | None, BeforeValidator(_calibration)] = None
    """The path of a file that `groundwatch calibrate` wrote for this profile; read, its content. Gives the score `probability`."""
    encoding: Encoding
    entities: Entities
    limits: Limits
    weights: Weights
    claims: Claims | None = None
    """For the `claims` detector, which needs it."""
    entailment: Entailment | None = None
    """For the `claims` detector; null: no cross-encoder."""
    shedding: Annotated[tuple[ModelName, ...], AfterValidator(_once_each)] = ()
    """Models that overload leaves out, one step after the other, the first one first; empty: overload changes no score."""
    divergence_features: Count | None = None
    """Vocabulary size of a TF-IDF fitted on each pair; null uses `frequency`."""
    frequency: Frequency
    low_confidence_below: Share
    """A response sentence whose best cosine to the contexts is below it is reported."""
    hedges: tuple[Annotated[str, Field(min_length=1)], ...]
    """Lower-case hedge phrases."""
    abstention: Abstention = Abstention()
    lexicon_sha256: str = ""
    """Of the word lists in configs/lexicon; filled in on reading, so that the fingerprint covers them."""

    @property
    def thresholds(self) -> dict[str, float]:
        """What the policy's rules may name: see Calibration.limits; empty without one."""
        return self.calibration.limits if self.calibration else {}

    @model_validator(mode="after")
    def _weighs_entailment(self) -> Self:
        weighed = self.claims is not None and "entailment" in self.claims.names
        if self.entailment and not weighed:
            raise ValueError("entailment: its signal has no weight; give it one as claims.support.entailment")
        if weighed and not self.entailment:
            raise ValueError("claims: the signal entailment has no model; name one as entailment.model")
        return self

    @model_validator(mode="after")
    def _sheds_what_it_has(self) -> Self:
        if "cross_encoder" in self.shedding and not self.entailment:
            raise ValueError("shedding: there is no cross_encoder to leave out; take it from the list, or name one as entailment.model")
        if self.shedding and not self.rules.degraded:
            raise ValueError("shedding: the policy does not say what becomes of a degraded answer; give it a section `degraded`")
        return self

    @model_validator(mode="before")
    @classmethod
    def _with_files(cls, content: object) -> object:
        if not isinstance(content, dict):
            return content
        rules = {"rules": _policy(content["policy"])} if "rules" not in content and isinstance(content.get("policy"), str) else {}
        return {**content, **rules, "lexicon_sha256": lexicon_digest()}


def load_profile(name_or_path: str, *, calibrated: bool = True) -> Profile:
    """The profile of that name in configs/profiles, or in the file at a path; without its calibration unless `calibrated`.

    Paths inside it are relative to the working directory. Raises ProfileError naming file and key.
    """
    return read("profiles", name_or_path, Profile, without=() if calibrated else ("calibration",))
