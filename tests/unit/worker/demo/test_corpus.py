"""The demo's answers: enough of every kind, over passages of the right size, labelled by kind."""

from collections import Counter

from worker.demo.corpus import MODELS, Example, Kind, load_corpus


def by_kind(examples: tuple[Example, ...]) -> Counter[Kind]:
    return Counter(example.kind for example in examples)


def test_there_are_about_two_hundred_answers_of_every_kind() -> None:
    counts = by_kind(load_corpus())

    assert 190 <= counts.total() <= 230
    assert min(counts[kind] for kind in Kind) >= 10


def test_ids_are_unique_and_every_answer_says_something() -> None:
    events = [example.event for example in load_corpus()]

    assert len({event.response_id for event in events}) == len(events)
    assert all(event.response and event.question for event in events)
    assert len({(event.question, event.response) for event in events}) == len(events)


def test_forty_passages_of_40_to_120_words_some_retrieved_together() -> None:
    events = [example.event for example in load_corpus()]
    passages = {context for event in events for context in event.contexts}

    assert len(passages) == 40
    assert all(40 <= len(passage.split()) <= 120 for passage in passages)
    assert {len(event.contexts) for event in events} == {1, 2, 3, 4}


def test_every_segment_has_answers_of_both_labels() -> None:
    segments = Counter((one.event.dataset, one.event.model, one.kind.label) for one in load_corpus())

    assert set(segments) == {(dataset, model, label) for dataset in ("helpdesk", "handbook") for model in MODELS for label in (0, 1)}
    assert min(segments.values()) >= 15


def test_a_refusal_is_no_hallucination() -> None:
    assert Kind.REFUSAL.label == 1
    assert [kind for kind in Kind if kind.label == 0] == [Kind.ENTITY_SWAPPED, Kind.NUMBER_CHANGED, Kind.CLAUSE_ADDED, Kind.OFF_TOPIC]
