"""Each publisher's format becomes events: the texts as published, the label by the set's rule, ids that stay."""

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from benchmarks.datasets import NAMES, load
from worker.errors import GroundwatchError, NotFound

REAL_SETS = Path(os.environ.get("RAG_DATA_HOME", Path(__file__).parents[4] / "shared" / "data"))

BEGIN_HEADER = "model_name\tdata_source\tknowledge\tmessage\tresponse\tbegin_label\n"


def write(directory: Path, file: str, text: str) -> Path:
    path = directory / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return directory


def write_lines(directory: Path, file: str, *rows: dict[str, Any]) -> Path:
    return write(directory, file, "".join(json.dumps(row) + "\n" for row in rows))


def labels(name: str, directory: Path) -> dict[str, int]:
    return {label.response_id: label.label for _, label in load(name, directory)}


@pytest.mark.parametrize("name", ["begin_wow", "begin_tc", "begin_cmu"])
def test_begin_keeps_spacing_and_quotes_and_leaves_generic_rows_out(name: str, tmp_path: Path) -> None:
    rows = (
        't5\twow\tIt opened in 1911 ; " the Mill " burned .\tWhen ?\tIt opened in 1911 .\tFully attributable\n'
        "gpt2\twow\tIt opened in 1911 .\tWhen ?\tThat is nice .\tGeneric\n"
        "ctrl\twow\tIt opened in 1911 .\tWhen ?\tIn 1950 .\tNot fully attributable\n"
    )
    directory = write(tmp_path, f"begin/begin_dev_{name.removeprefix('begin_')}.tsv", BEGIN_HEADER + rows)

    (first, _), (second, _) = load(name, directory)

    assert labels(name, directory) == {f"{name}-1": 1, f"{name}-3": 0}
    assert (first.dataset, first.model, first.question) == (name, "t5", "When ?")
    assert first.contexts == ('It opened in 1911 ; " the Mill " burned .',)
    assert second.response == "In 1950 ."


def test_q2_has_two_systems_a_row_and_marks_the_inconsistent_ones(tmp_path: Path) -> None:
    header = ",episode_idx,round,topic,message,dodeca_response,memnet_response,knowledge,gold,dodeca_label,memnet_label\n"
    directory = write(tmp_path, "q2/cross_annotation.csv", header + '0,0,1,Tea,"So, tea?",yes,no,"Tea is, well, tea.",g,0,1\n')

    (dodeca, _), (memnet, _) = load("q2", directory)

    assert labels("q2", directory) == {"q2-1-dodeca": 1, "q2-1-memnet": 0}
    assert (dodeca.model, dodeca.response) == ("dodeca", "yes")
    assert (memnet.model, memnet.response) == ("memnet", "no")
    assert dodeca.contexts == ("Tea is, well, tea.",)


def test_wice_joins_one_chunks_sentences_and_counts_partly_supported_as_not(tmp_path: Path) -> None:
    rows = [{"claim": "A claim.", "evidence": ["One.", "Two."], "label": x} for x in ("supported", "partially_supported", "not_supported")]
    directory = write_lines(tmp_path, "wice/oracle_chunks_claim_dev.jsonl", *rows)

    event, _ = next(load("wice", directory))

    assert labels("wice", directory) == {"wice-1": 1, "wice-2": 0, "wice-3": 0}
    assert (event.contexts, event.question, event.model) == (("One. Two.",), None, "unknown")


def test_bamboo_holds_a_hypothesis_against_a_paper(tmp_path: Path) -> None:
    rows = [{"title": "T", "content": "A paper.", "hypothesis": "It says so.", "answer": answer} for answer in (True, False)]
    directory = write_lines(tmp_path, "bamboo/senhallu_4k.jsonl", *rows)

    assert labels("bamboo", directory) == {"bamboo-1": 1, "bamboo-2": 0}


def test_mtrag_leaves_undecided_rows_out(tmp_path: Path) -> None:
    row = {"model": "gpt", "question": "Why?", "contexts": ["Because."], "response": "Because."}
    means = (4.0, 3.5, 3.0, 2.5, 1.0)
    directory = write_lines(tmp_path, "mtrag/human_eval.jsonl", *({**row, "human_faithfulness": mean} for mean in means))

    assert labels("mtrag", directory) == {"mtrag-1": 1, "mtrag-2": 1, "mtrag-4": 0, "mtrag-5": 0}
    assert next(load("mtrag", directory))[0].model == "gpt"


def test_attributionbench_is_in_our_own_fields(tmp_path: Path) -> None:
    row = {"id": "x", "question": "Why?", "contexts": ["One.", "Two."], "response": "Because."}
    directory = write_lines(tmp_path, "attributionbench/dev.jsonl", {**row, "label": 0}, {**row, "label": 1})

    assert labels("attributionbench", directory) == {"attributionbench-1": 0, "attributionbench-2": 1}


def test_felm_gives_a_sample_each_segment_of_the_prompts_with_reference_text(tmp_path: Path) -> None:
    row = {"prompt": "Tell me.", "segmented_response": ["First.", " ", "Last."], "labels": [True, True, False]}
    directory = write_lines(
        tmp_path,
        "felm/all.jsonl",
        {**row, "ref_contents": "", "type": float("nan")},
        {**row, "ref_contents": "A."},
        {**row, "ref_contents": ["A.", "B."]},
    )

    assert labels("felm", directory) == {"felm-2-1": 1, "felm-2-3": 0, "felm-3-1": 1, "felm-3-3": 0}
    assert [event.contexts for event, _ in load("felm", directory)][-1] == ("A.", "B.")


def test_medhalt_has_no_contexts_and_to_refuse_is_right(tmp_path: Path) -> None:
    row = '1,x,"Which nerve of a unicorn?","{\'0\': \'The radial\', \'1\': ""I don\'t know""}"\n'
    directory = write(tmp_path, "medhalt/reasoning_fake.csv", "id,subject_name,question,options\n" + row)

    (refusal, _), (option, _) = load("medhalt", directory)

    assert labels("medhalt", directory) == {"medhalt-1-refusal": 1, "medhalt-1-option": 0}
    assert (refusal.contexts, option.response) == ((), "The radial")
    assert refusal.question == "Which nerve of a unicorn?\nThe radial\nI don't know"


def test_ragtruth_joins_sources_and_counts_any_span_and_leaves_flawed_answers_out(tmp_path: Path) -> None:
    span = {"start": 0, "end": 3, "text": "The", "label_type": "Evident Conflict", "implicit_true": False, "due_to_null": False}
    row = {"model": "gpt-4", "temperature": 0.7, "split": "test", "quality": "good", "response": "The mill.", "labels": []}
    sources = [
        {
            "source_id": "7",
            "task_type": "QA",
            "source": "X",
            "source_info": {"question": "What?", "passages": "passage 1: A mill."},
            "prompt": "p",
        },
        {"source_id": "8", "task_type": "Summary", "source": "Y", "source_info": "A whole article.", "prompt": "p"},
        {"source_id": "9", "task_type": "Data2txt", "source": "Z", "source_info": {"name": "Café", "stars": 4}, "prompt": "p"},
    ]
    write_lines(tmp_path, "ragtruth/source_info.jsonl", *sources)
    directory = write_lines(
        tmp_path,
        "ragtruth/response.jsonl",
        {**row, "id": "0", "source_id": "7"},
        {**row, "id": "1", "source_id": "8", "labels": [span]},
        {**row, "id": "2", "source_id": "9"},
        {**row, "id": "3", "source_id": "9", "quality": "truncated"},
    )

    events = [event for event, _ in load("ragtruth", directory)]

    assert labels("ragtruth", directory) == {"ragtruth-1": 1, "ragtruth-2": 0, "ragtruth-3": 1}
    assert (events[0].question, events[0].model, events[0].contexts) == ("What?", "gpt-4", ("passage 1: A mill.",))
    assert [event.contexts for event in events[1:]] == [("A whole article.",), ('{"name": "Café", "stars": 4}',)]


def test_ragtruth_without_its_sources_names_that_file(tmp_path: Path) -> None:
    directory = write_lines(tmp_path, "ragtruth/response.jsonl", {"source_id": "7"})

    with pytest.raises(NotFound, match=r"source_info\.jsonl is missing"):
        list(load("ragtruth", directory))


@pytest.mark.parametrize(
    ("name", "file", "row", "question"),
    [
        (
            "halueval_qa",
            "qa_data.json",
            {"knowledge": "A.", "question": "Q?", "right_answer": "Yes.", "hallucinated_answer": "No."},
            "Q?",
        ),
        (
            "halueval_dialogue",
            "dialogue_data.json",
            {"knowledge": "A.", "dialogue_history": "[Human]: Q?", "right_response": "Yes.", "hallucinated_response": "No."},
            "[Human]: Q?",
        ),
        (
            "halueval_summarization",
            "summarization_data.json",
            {"document": "A.", "right_summary": "Yes.", "hallucinated_summary": "No."},
            None,
        ),
    ],
)
def test_halueval_has_a_right_and_an_invented_answer_a_row(
    name: str, file: str, row: dict[str, str], question: str | None, tmp_path: Path
) -> None:
    directory = write_lines(tmp_path, f"halueval/{file}", row)

    (right, _), (invented, _) = load(name, directory)

    assert labels(name, directory) == {f"{name}-1-right": 1, f"{name}-1-hallucinated": 0}
    assert (right.response, right.contexts, right.question, invented.response) == ("Yes.", ("A.",), question, "No.")


def test_halubench_passes_or_fails(tmp_path: Path) -> None:
    row = {"id": "x", "passage": "A.", "question": "Q?", "answer": "Yes.", "source_ds": "DROP"}
    directory = write_lines(tmp_path, "halubench/test.jsonl", {**row, "label": "PASS"}, {**row, "label": "FAIL"})

    assert labels("halubench", directory) == {"halubench-1": 1, "halubench-2": 0}
    assert next(load("halubench", directory))[0].contexts == ("A.",)


def test_aggrefact_holds_a_claim_against_a_document(tmp_path: Path) -> None:
    row = {"dataset": "TofuEval-MediaS", "doc": "A.", "claim": "A claim.", "contamination_identifier": "x"}
    directory = write_lines(tmp_path, "aggrefact/test.jsonl", {**row, "label": 1}, {**row, "label": 0})

    assert labels("aggrefact", directory) == {"aggrefact-1": 1, "aggrefact-2": 0}
    event, _ = next(load("aggrefact", directory))
    assert (event.response, event.contexts, event.question) == ("A claim.", ("A.",), None)


def test_the_sets_own_folder_serves_as_well(tmp_path: Path) -> None:
    write_lines(tmp_path, "bamboo/senhallu_4k.jsonl", {"content": "A.", "hypothesis": "A.", "answer": True})

    assert labels("bamboo", tmp_path / "bamboo") == {"bamboo-1": 1}


@pytest.mark.parametrize("name", NAMES)
def test_a_missing_file_is_named_with_its_set(name: str, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=rf"data set {name}: .*{name.split('_', 1)[0]}/.* is missing"):
        load(name, tmp_path)


def test_an_unknown_set_is_told_which_are_known(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="no data set begins; known are begin_wow"):
        load("begins", tmp_path)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"content": "A.", "hypothesis": "A.", "answer": true}\n{"content": "A."}\n', "near row 2.*field 'hypothesis' is missing"),
        ("not json\n", "near row 1.*JSONDecodeError"),
        ("[1]\n", "near row 1.*TypeError"),
    ],
)
def test_a_row_in_another_format_is_named(text: str, reason: str, tmp_path: Path) -> None:
    directory = write(tmp_path, "bamboo/senhallu_4k.jsonl", text)

    with pytest.raises(GroundwatchError, match=reason):
        list(load("bamboo", directory))


@pytest.mark.parametrize(
    ("name", "hallucinated", "grounded"),
    [
        ("begin_wow", 250, 180),
        ("begin_tc", 307, 74),
        ("begin_cmu", 278, 59),
        ("q2", 460, 628),
        ("wice", 701, 342),
        ("bamboo", 100, 100),
        ("mtrag", 59, 291),
        ("attributionbench", 599, 599),
        ("felm", 442, 1300),
        ("medhalt", 1858, 1858),
    ],
)
def test_the_published_sets_read_whole(name: str, hallucinated: int, grounded: int) -> None:
    if not REAL_SETS.is_dir():
        pytest.skip(f"the public sets are not at hand in {REAL_SETS}; name their folder with RAG_DATA_HOME")
    events = list(load(name, REAL_SETS))

    counted = Counter(label.label for _, label in events)
    assert (counted[0], counted[1]) == (hallucinated, grounded)
    assert len({response.response_id for response, _ in events}) == len(events)
    assert [response.response_id for response, _ in events] == [label.response_id for _, label in events]
