"""A decision carries offsets; beside the response they become text."""

from schemas import Explanations, Offsets
from tests.unit.schemas.factories import decision


def test_low_confidence_sentences_are_cut_from_the_response():
    explanations = Explanations(reason="r", low_confidence_sentences=(Offsets(start=0, end=8), Offsets(start=9, end=12)))
    shape = decision(explanations=explanations).to_dict("At nine. 🙂x.")
    assert shape["explanations"]["low_confidence_sentences"] == ["At nine.", "🙂x."]
    assert shape["decision"] == "ACCEPT"
