"""The numbers, dates, units and comparisons in configs/lexicon, checked on reading."""

from functools import cached_property
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from detectors.settings_file import Section
from detectors.word_lists import Words, split_words


def _each(table: object) -> dict[str, Any]:
    """`a b: value` as one entry a word."""
    if not isinstance(table, dict):
        raise ValueError("give `words: value` pairs")
    pairs = [(word, value) for words, value in table.items() for word in split_words(words)]
    if twice := sorted({word for word, _ in pairs if sum(word == other for other, _ in pairs) > 1}):
        raise ValueError(f"{', '.join(twice)} stands twice; a word has one value")
    return dict(pairs)


Positive = Annotated[float, Field(gt=0)]
Values = Annotated[dict[str, Annotated[float, Field(ge=0)]], BeforeValidator(_each)]
Factors = Annotated[dict[str, Positive], BeforeValidator(_each)]


def _one_dimension_each(units: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    names = [name for of in units.values() for name in of]
    if twice := [name for name in names if names.count(name) > 1]:
        raise ValueError(f"{twice[0]} belongs to two dimensions")
    return units


Units = Annotated[dict[str, Factors], AfterValidator(_one_dimension_each)]
Years = tuple[int, int]
Dimensions = Annotated[dict[str, Words], BeforeValidator(_each)]


class Measures(Section):
    """Numbers, dates, units and comparisons: configs/lexicon/quantities.yaml."""

    ones: Values
    tens: Values
    numbers: Values
    ordinals: Values
    day_ordinals: Values
    """Those that count days only."""
    ordinal_endings: Words
    before_lone_days: Words
    articles: Words
    joining: Words
    negative: Words
    fractions: Factors
    """By what one is divided by."""
    fractions_after_words: Factors
    shares: Words
    parting: Words
    share_joiners: Words
    each: Words
    fractions_below: Positive
    shares_of_at_most: Positive
    ranging: Words
    """Between the two ends of a range."""
    approximate: Words
    """Before a number that is rounded."""
    rounded_within: Annotated[float, Field(ge=0, lt=1)]
    """How far off such a number may be, as a share of it."""
    shares_rounded: Annotated[float, Field(ge=0)]
    scales: Factors
    money_scales: Factors
    attached_scales: Words
    uncounted: Words
    months: Annotated[tuple[Words, ...], Field(min_length=12, max_length=12)]
    doubtful_months: Words
    years: Years
    years_in_words: Years
    date_joiners: Words
    times_of_day: Values
    """In minutes."""
    past_hour: Words
    to_hour: Words
    before_to_hour: Words
    halves_of_day: Values
    """What stands after a time of 12 hours, with the hours to add."""
    weekdays: Annotated[tuple[Words, ...], Field(min_length=7, max_length=7)]
    several_weekdays: Annotated[dict[str, Words], BeforeValidator(_each)]
    range_joiners: Words
    units: Units
    """By dimension: factor of each name to the base unit."""
    leading_units: Words
    lower_case_units: Words
    change_from: Words
    change_to: Words
    comparing: Words
    lessening: Words
    upward: Dimensions
    """Dimensions of the values that bear a comparison out; none: any."""
    downward: Dimensions

    @cached_property
    def value_of(self) -> dict[str, float]:
        """Of every number word."""
        return {
            **self.ordinals,
            **self.ones,
            **self.tens,
            **self.numbers,
            **{word: 1 / divisor for word, divisor in self.fractions.items()},
        }

    @cached_property
    def nth_of(self) -> dict[str, float]:
        """Of every ordinal and of the tens that begin one."""
        return {**self.tens, **self.ordinals, **self.day_ordinals}

    @cached_property
    def whole_of(self) -> dict[str, float]:
        """Of the number words for whole numbers."""
        return {**self.numbers, **self.ones, **self.tens, **self.scales}

    @cached_property
    def below_hundred(self) -> dict[str, float]:
        """Of the number words from one to nineteen and the tens."""
        teens = {word: value for word, value in self.numbers.items() if value >= 10 and word not in self.scales}
        return {**self.ones, **teens, **self.tens}

    @cached_property
    def starting(self) -> frozenset[str]:
        """The words that a value may begin with."""
        words = (self.times_of_day, self.fractions, self.whole_of, self.value_of, self.several_weekdays, self.day_of, self.month_of)
        return frozenset[str]().union(*words, self.each, self.articles)

    @cached_property
    def day_of(self) -> dict[str, int]:
        """0 to 6 of every name of a weekday, its plurals too."""
        return {form: number for number, names in enumerate(self.weekdays) for name in names for form in (name, name + "s")}

    @cached_property
    def month_of(self) -> dict[str, int]:
        """1 to 12 of every name."""
        return {name: number for number, names in enumerate(self.months, 1) for name in names}

    @cached_property
    def unit_of(self) -> dict[str, tuple[str, float]]:
        """Dimension and factor of every name."""
        return {name: (dimension, factor) for dimension, names in self.units.items() for name, factor in names.items()}

    @model_validator(mode="after")
    def _names_known_units(self) -> Self:
        if unknown := (self.leading_units | self.lower_case_units) - self.unit_of.keys():
            raise ValueError(f"leading_units, lower_case_units: {min(unknown)} is none of the units")
        if missing := frozenset[str]().union(*self.upward.values(), *self.downward.values()) - self.units.keys():
            raise ValueError(f"upward, downward: {min(missing)} is none of the dimensions in units")
        return self
