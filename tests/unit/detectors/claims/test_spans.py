"""Spans, and what must not change them."""

import pytest

from detectors import Detector
from tests.unit.detectors.factories import CONTEXT, answer

pytestmark = [pytest.mark.models, pytest.mark.timeout(300)]


def test_spans_point_into_the_texts_as_they_came(default: Detector) -> None:
    response = (
        "  Its lamp reaches 24 nautical miles.\n- The keeper&#39;s house is not open\u200b from May to September.\n"
        "Penguins juggle Baroque sonatas."
    )
    dirty = "Preface &amp; notes.\u200b " + CONTEXT
    [assessment] = default.assess([answer(response=response, contexts=("Gulls circle.", dirty))])
    told, denied, added = assessment.spans
    assert [span.category for span in assessment.spans] == ["supported", "contradiction", "unsupported_addition"]
    assert response[told.start : told.end] == "Its lamp reaches 24 nautical miles."
    assert response[denied.start : denied.end].startswith("The keeper&#39;s") or "keeper&#39;s" in response[denied.start : denied.end]
    assert response[added.start : added.end] == "Penguins juggle Baroque sonatas."
    assert (told.context, dirty[told.context_start : told.context_end]) == (1, "Its lamp reaches 24 nautical miles.")
    assert denied.signal == "polarity"


def test_a_reference_to_no_passage_is_fabricated(default: Detector) -> None:
    [assessment] = default.assess([answer(response="Its lamp reaches 24 nautical miles [9].", contexts=(CONTEXT, "Gulls circle."))])
    assert [(span.category, span.signal) for span in assessment.spans] == [("fabricated_reference", "citations")]


def test_order_cuts_and_unrelated_passages_do_not_change_the_score(default: Detector) -> None:
    parts = tuple(f"{part.strip(' .')}." for part in CONTEXT.split(". "))
    others = tuple(f"Recipe {name} needs flour, butter and patience." for name in "ABCDEFGHI")
    cases = (parts, parts[::-1], (" ".join(parts),), (*others[:4], *parts, *others[4:]))
    scores = [one.scores["final"] or 0 for one in default.assess([answer(contexts=contexts) for contexts in cases])]
    assert max(scores) - min(scores) < 0.05


@pytest.mark.parametrize(
    ("table", "row"),
    [
        ("| item | price |\n|---|---|\n| kettle | 30 euros |\n| lamp | 45 euros |", "| lamp | 45 euros |"),
        ("item,price,weight\nkettle,30 euros,900 g\nlamp,45 euros,2 kg", "lamp,45 euros,2 kg"),
        ("item;price;weight\nkettle;30 euros;900 g\nlamp;45 euros;2 kg", "lamp;45 euros;2 kg"),
        ("item\tprice\tweight\nkettle\t30 euros\t900 g\nlamp\t45 euros\t2 kg", "lamp\t45 euros\t2 kg"),
    ],
)
def test_a_table_row_is_the_evidence_of_its_cells(default: Detector, table: str, row: str) -> None:
    [assessment] = default.assess([answer(question=None, response="The price of the lamp is 45 euros.", contexts=(table,))])
    [span] = assessment.spans
    assert table[span.context_start : span.context_end] == row


def test_pleasantries_beside_claims_are_no_claims(default: Detector) -> None:
    plain, polite = (
        default.assess([answer(response=f"Its lamp reaches 24 nautical miles.{more}")])[0]
        for more in ("", " Let me know if you need anything else!")
    )
    assert (polite.spans, polite.scores["final"]) == (plain.spans, plain.scores["final"])
