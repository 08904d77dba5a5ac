"""Profiles and policies that are wrong are refused, by file and key."""

from collections.abc import Callable
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import yaml

from detectors import Profile, load_profile
from detectors.claims.signal import Signal
from detectors.errors import ProfileError
from detectors.rules import load_rules
from detectors.scores import claim_scores

Change = Callable[[dict[str, Any]], object]


def _write(tmp_path: Path, shipped: str, change: Change) -> str:
    content = yaml.safe_load((files("configs") / shipped).read_text(encoding="utf-8"))
    change(content)
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump(content), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda profile: profile.update(wieghts={}), "mine.yaml: wieghts: is unknown"),
        (lambda profile: profile.pop("limits"), "mine.yaml: limits: is missing"),
        (lambda profile: profile["weights"]["grounded"].update(astrology=1), "weights.grounded.astrology: is unknown"),
        (lambda profile: profile["claims"]["support"].update(astrology=1), "claims.support.astrology.*there is no signal of that name"),
        (lambda profile: profile["weights"]["final"].update(relevance="much"), "weights.final.relevance"),
        (lambda profile: profile["weights"]["final"].update(relevance=float("nan")), "weights.final.relevance"),
        (lambda profile: profile["encoding"].update(overlap=200), "encoding: overlap: must be at most half"),
        (lambda profile: profile["abstention"].update(refusals=["ok", "| *"]), "abstention.refusals.1: a phrase is made of"),
        (lambda profile: profile.update(entailment={"model": "mine"}), "entailment: its signal has no weight"),
        (lambda profile: profile["claims"]["support"].update(entailment=1), "the signal entailment has no model; name one as"),
        (lambda profile: profile.update(calibration="none.json"), "calibration: none.json: cannot be read.*groundwatch calibrate"),
        (lambda profile: profile["claims"].update(support={"gaps": 0}), "claims.support: needs a positive weight"),
        (lambda profile: profile["claims"].pop("weakest"), "mine.yaml: claims.weakest: is missing"),
        (lambda profile: profile["claims"].pop("matching"), "mine.yaml: claims.matching: is missing"),
        (lambda profile: profile["claims"]["matching"].update(soft_from=1), "claims.matching.soft_from: should be less than 1"),
        (lambda profile: profile["claims"].pop("signals"), "mine.yaml: claims.signals: is missing"),
        (lambda profile: profile["claims"]["signals"].pop("gaps"), "mine.yaml: claims.signals.gaps: is missing"),
        (lambda profile: profile["claims"]["signals"]["gaps"].clear(), "claims.signals.gaps.doubt: is missing"),
        (lambda profile: profile["claims"]["signals"]["gaps"].update(doubt=2), "claims.signals.gaps.doubt: should be less than"),
        (lambda profile: profile["claims"]["signals"]["gaps"].update(dobut=1), "claims.signals.gaps.dobut: is unknown"),
        (lambda profile: profile["claims"]["signals"].update(astrology={}), "claims.signals.astrology: is unknown"),
        (lambda profile: profile.update(shedding=["encoder", "encoder"]), "shedding: encoder stands twice; a model is left out once"),
        (lambda profile: profile.update(shedding=["parsr"]), "mine.yaml: shedding.0: .*'cross_encoder', 'encoder' or 'parser'"),
        (lambda profile: profile.update(shedding=["cross_encoder"]), "shedding: there is no cross_encoder to leave out"),
        (lambda profile: profile.update(policy="gatekeeper"), "shedding: the policy does not say what becomes of a degraded answer"),
        (lambda profile: profile.update(hedges=[""]), "hedges.0: .*at least 1 character"),
        (lambda profile: profile["frequency"].update(words="../lexicon/x"), "frequency.words"),
        (lambda profile: profile.update(policy="missing"), "policy: missing: not in configs/policies; use one of claims, gatekeeper"),
        (lambda profile: profile.update(wieghts={}), r"mine.yaml: wieghts: is unknown; did you mean weights\?$"),
        (
            lambda profile: profile["weights"]["final"].update(relevence=1),
            r"weights.final.relevence: is unknown; did you mean relevance\?$",
        ),
        (lambda profile: profile["claims"]["signals"]["gaps"].update(duobt=1), r"gaps.duobt: is unknown; did you mean doubt\?$"),
        (lambda profile: profile["weights"]["attribution"].update(other=1), "attribution.other: is unknown; use one of semantic, overlap$"),
        (lambda profile: profile["claims"]["support"].update(astrology=1), r"mine.yaml: claims.support.astrology: there is no signal"),
    ],
)
def test_a_wrong_profile_names_file_and_key(tmp_path: Path, change: Change, complaint: str) -> None:
    with pytest.raises(ProfileError, match=complaint):
        load_profile(_write(tmp_path, "profiles/default.yaml", change))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda policy: policy["rules"][1].update(when={"atribution": {"below": 1}}), "mine.yaml: rules.fabricated.when.atribution"),
        (
            lambda policy: policy["rules"][1].update(when={"attribution": {"under": 1}}),
            "rules.fabricated.when.attribution.under: is unknown",
        ),
        (lambda policy: policy["rules"][1].update(decision="PASS"), "rules.fabricated.decision"),
        (lambda policy: policy["rules"][1].update(failure_type="bad"), "rules.fabricated.failure_type"),
        (
            lambda policy: policy["rules"][1].update(when={"final": {"below": "alpha"}}),
            "final.below: must be a number .* or one of accept, reject",
        ),
        (
            lambda policy: policy["rules"][1].update(when={"final": {"below": 50}}),
            "fabricated.when.final.below: must be a number from 0 to 1",
        ),
        (lambda policy: policy["rules"][1].update(when={"final": {"at_least": -0.1}}), "final.at_least: must be a number from 0 to 1"),
        (lambda policy: policy["hallucination_status"]["suspected"][0].update(final={"above": 7}), "above: must be a number from 0 to 1"),
        (lambda policy: policy["confidence"].update(threshold=50), "confidence.threshold: should be less than or equal to 1"),
        (
            lambda policy: policy["rules"][1].update(when={"final": {"less": 0.5}}),
            "final.less: is unknown; use one of below, at_most, above, at_least$",
        ),
        (
            lambda policy: policy["rules"][1].update(when={"final": {"at_min": 0.5}}),
            "final.at_min: is unknown; use one of below, at_most, above, at_least$",
        ),
        (lambda policy: policy["rules"][1].update(when={"final": {"below": [1]}}), "final.below: should be a valid number; mend the file$"),
        (lambda policy: policy["rules"][1].update(name="vague"), r"mine.yaml: rules: two rules are called vague; give each a name"),
        (lambda policy: policy["rules"][1].update(reason="{accept:.3f}"), "rules.fabricated: reason: names accept"),
        (lambda policy: policy["rules"][1].update(reason="{final:.3f}"), "rules.fabricated: reason: names final"),
        (lambda policy: policy["rules"][1].update(reason="{attribution.__class__}"), "reason: names attribution.__class__"),
        (lambda policy: policy["rules"][1].update(reason="{when:.3f}"), "rules.fabricated: reason: Unknown format code"),
        (lambda policy: policy["rules"].pop(), "the last rule, accepted, must have an empty"),
        (lambda policy: policy["absences"].pop("error"), "absences: error must be given"),
    ],
)
def test_a_wrong_policy_names_file_rule_and_key(tmp_path: Path, change: Change, complaint: str) -> None:
    with pytest.raises(ProfileError, match=complaint):
        load_rules(_write(tmp_path, "policies/gatekeeper.yaml", change))


def test_a_wrong_policy_of_a_profile_names_both_files_and_says_once_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "policies").mkdir()
    policy = _write(tmp_path / "policies", "policies/gatekeeper.yaml", lambda policy: policy["rules"][1].update(decision="PASS"))
    profile = _write(tmp_path, "profiles/default.yaml", lambda profile: profile.update(policy=policy))

    with pytest.raises(ProfileError) as wrong:
        load_profile(profile)

    expected = "rules.fabricated.decision: should be 'ACCEPT', 'REVIEW' or 'REJECT'; mend the file"
    assert str(wrong.value) == f"{profile}: policy: {policy}: {expected}"


@pytest.mark.parametrize("text", ["", "[1]", "name: mine", "policy: missing", "wieghts: {}"])
def test_a_complaint_says_once_what_to_do_and_names_no_place_that_is_none(tmp_path: Path, text: str) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(ProfileError) as wrong:
        load_profile(str(path))

    assert str(wrong.value).count("; ") == 1
    assert "the file:" not in str(wrong.value)


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(ProfileError, match="nowhere: not in configs/profiles; use one of default, seed"):
        load_profile("nowhere")


def test_an_unreadable_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="cannot be read"):
        load_profile(str(tmp_path / "absent.yaml"))
    broken = tmp_path / "broken.yaml"
    broken.write_text("a: [1", encoding="utf-8")
    with pytest.raises(ProfileError, match="not YAML"):
        load_profile(str(broken))


def test_a_profile_can_be_read_without_its_calibration(tmp_path: Path) -> None:
    profile = load_profile(
        _write(tmp_path, "profiles/default.yaml", lambda profile: profile.update(calibration="none.json")), calibrated=False
    )
    assert (profile.calibration, profile.thresholds) == (None, {})


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("name: mine\nlimits: {}\nname: other\n", "mine.yaml: line 3: name stands twice; keep one of the two"),
        ("claims:\n  support: {gaps: 1.0,\n    coverage: 1.0, gaps: 2.0}\n", "mine.yaml: line 3: gaps stands twice"),
        ("rules: [{when: 1, when: 2}]\n", "mine.yaml: line 1: when stands twice"),
    ],
)
def test_a_key_that_stands_twice_is_refused_by_line(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ProfileError, match=complaint):
        load_profile(str(path))


def test_the_same_key_in_two_places_and_one_beside_a_merge_are_taken(tmp_path: Path) -> None:
    text = (files("configs") / "profiles/default.yaml").read_text(encoding="utf-8")
    merged = text.replace("grounded: {cosine: 0.5,", "grounded: {<<: {cosine: 0.1}, cosine: 0.5,")
    path = tmp_path / "mine.yaml"
    path.write_text(merged, encoding="utf-8")
    assert merged != text
    assert load_profile(str(path)) == load_profile("default")


def test_a_signal_without_a_weight_needs_no_settings_and_one_with_it_does(tmp_path: Path) -> None:
    def drop(profile: dict[str, Any]) -> None:
        profile["claims"]["contradiction"].pop("scope")
        profile["claims"]["signals"].pop("scope")

    found = load_profile(_write(tmp_path, "profiles/default.yaml", drop)).claims
    assert found is not None
    assert "scope" not in found.signals
    assert set(found.names) == set(found.signals)


def test_a_profile_read_anew_from_its_own_dump_is_the_same() -> None:
    profile = load_profile("default")
    assert Profile.model_validate_json(profile.model_dump_json()) == profile


@pytest.mark.parametrize("name", sorted(claim_scores()))
def test_every_signal_says_what_its_settings_mean_and_has_no_value_of_its_own(name: str) -> None:
    signal = getattr(import_module(f"detectors.claims.signals.{name}"), name.capitalize())
    assert issubclass(signal, Signal)
    assert all(field.description and field.is_required() for field in signal.model_fields.values())
