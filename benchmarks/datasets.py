"""Public labelled sets, in their publishers' own file formats, as events. Label 1 = grounded, 0 = hallucinated.

Texts stay as they are published, detokenised spacing included. Rows keep the file's order, and ids are stable: name, row (from 1), part.
"""

import ast
import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from schemas import LabelEvent, ResponseEvent
from worker.errors import GroundwatchError, NotFound

Row = Mapping[str, Any]


class Sample(NamedTuple):
    """One judged answer of a row."""

    response: str
    contexts: tuple[str, ...]
    label: int
    question: str | None = None
    model: str = "unknown"
    part: str = ""
    """Tells the samples of one row apart."""


class _Format(NamedTuple):
    file: str
    """In its publisher's folder."""
    rows: Callable[[Path], Iterator[Row]]
    samples: Callable[[Row], Iterable[Sample]]


def load(name: str, directory: Path) -> Iterator[tuple[ResponseEvent, LabelEvent]]:
    """The events of a set in NAMES, read as they are asked for.

    `directory` holds the sets, each in its folder (`begin/begin_dev_wow.tsv`), or is the set's own folder.
    Raises NotFound for an unknown name or a missing file, GroundwatchError for a row in another format.
    """
    if name not in _FORMATS:
        raise NotFound(f"there is no data set {name}; known are {', '.join(NAMES)}")
    form = _FORMATS[name]
    return _events(name, form, _find(name, form, directory))


def _find(name: str, form: _Format, directory: Path) -> Path:
    file = directory / form.file
    inside = directory / file.name
    if not file.is_file() and not inside.is_file():
        raise NotFound(f"data set {name}: {file} is missing; give the directory that holds {form.file}")
    return file if file.is_file() else inside


def _events(name: str, form: _Format, file: Path) -> Iterator[tuple[ResponseEvent, LabelEvent]]:
    row = 0
    try:
        for row, content in enumerate(form.rows(file), start=1):
            for sample in form.samples(content):
                yield _event(name, f"{name}-{row}{sample.part}", sample)
    except (KeyError, TypeError, ValueError, SyntaxError, csv.Error) as broken:
        reason = f"field {broken} is missing" if isinstance(broken, KeyError) else type(broken).__name__
        raise GroundwatchError(f"data set {name}: {file}, near row {max(row, 1)}: not in its publisher's format ({reason})") from broken


def _event(name: str, response_id: str, sample: Sample) -> tuple[ResponseEvent, LabelEvent]:
    response = ResponseEvent(
        response_id=response_id,
        dataset=name,
        model=sample.model,
        question=sample.question,
        contexts=sample.contexts,
        response=sample.response,
    )
    return response, LabelEvent.model_validate({"response_id": response_id, "label": sample.label, "source": "benchmark"})


def _json_rows(file: Path) -> Iterator[Row]:
    with file.open("rb") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)  # not orjson: publishers write NaN


def _csv_rows(file: Path) -> Iterator[Row]:
    with file.open(newline="", encoding="utf-8") as lines:
        yield from csv.DictReader(lines)


def _tsv_rows(file: Path) -> Iterator[Row]:
    with file.open(newline="", encoding="utf-8") as lines:
        yield from csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)


def _begin(row: Row) -> Iterator[Sample]:
    """Generic responses say nothing that could be attributed: left out."""
    if row["begin_label"] != "Generic":
        grounded = int(row["begin_label"] == "Fully attributable")
        yield Sample(row["response"], (row["knowledge"],), grounded, row["message"], row["model_name"])


def _q2(row: Row) -> Iterator[Sample]:
    """Two systems' answers a row; the publisher marks the inconsistent ones with 1."""
    for system in ("dodeca", "memnet"):
        grounded = 1 - int(row[f"{system}_label"])
        yield Sample(row[f"{system}_response"], (row["knowledge"],), grounded, row["message"], system, f"-{system}")


def _wice(row: Row) -> Iterator[Sample]:
    """The sentences of one cited chunk make one context; partly supported counts as not supported."""
    yield Sample(row["claim"], (" ".join(row["evidence"]),), int(row["label"] == "supported"))


def _bamboo(row: Row) -> Iterator[Sample]:
    yield Sample(row["hypothesis"], (row["content"],), int(row["answer"]))


def _mtrag(row: Row) -> Iterator[Sample]:
    """Mean faithfulness of three annotators, 1 to 4; what lies between 2.5 and 3.5 is undecided and left out."""
    mean = float(row["human_faithfulness"])
    if not 2.5 < mean < 3.5:
        yield Sample(row["response"], tuple(row["contexts"]), int(mean >= 3.5), row["question"], row["model"])


def _attributionbench(row: Row) -> Iterator[Sample]:
    yield Sample(row["response"], tuple(row["contexts"]), int(row["label"]), row["question"])


def _felm(row: Row) -> Iterator[Sample]:
    """A sample each segment of the answer; only prompts with reference text can be judged against it."""
    published = row["ref_contents"]
    contexts = tuple(text for text in ([published] if isinstance(published, str) else published) if text.strip())
    if contexts:
        for number, (segment, factual) in enumerate(zip(row["segmented_response"], row["labels"], strict=True), start=1):
            if segment.strip():
                yield Sample(segment, contexts, int(factual), row["prompt"], "chatgpt", f"-{number}")


def _medhalt(row: Row) -> Iterator[Sample]:
    """The question makes no sense: to refuse is right, to choose an option is not. There are no contexts."""
    options = list(ast.literal_eval(row["options"]).values())
    question = "\n".join((row["question"], *options))
    yield Sample("I do not know.", (), 1, question, part="-refusal")
    yield Sample(options[0], (), 0, question, part="-option")


def _ragtruth_rows(file: Path) -> Iterator[Row]:
    """Each response with its source, which the publisher keeps in a file beside."""
    beside = file.with_name("source_info.jsonl")
    if not beside.is_file():
        raise NotFound(f"data set ragtruth: {beside} is missing; it holds the sources of {file.name}")
    sources = {row["source_id"]: row for row in _json_rows(beside)}
    for row in _json_rows(file):
        yield {**row, "source": sources[row["source_id"]]}


def _ragtruth(row: Row) -> Iterator[Sample]:
    """One annotated span makes the answer a hallucination, what is true but not in the source included. Flawed answers are left out."""
    if row["quality"] != "good":
        return
    info, question = row["source"]["source_info"], None
    if isinstance(info, dict) and "passages" in info:
        info, question = info["passages"], info["question"]
    contexts = (info if isinstance(info, str) else json.dumps(info, ensure_ascii=False),)
    yield Sample(row["response"], contexts, int(not row["labels"]), question, row["model"])


def _halueval_qa(row: Row) -> Iterator[Sample]:
    """The right answer and the invented one."""
    yield Sample(row["right_answer"], (row["knowledge"],), 1, row["question"], part="-right")
    yield Sample(row["hallucinated_answer"], (row["knowledge"],), 0, row["question"], part="-hallucinated")


def _halueval_dialogue(row: Row) -> Iterator[Sample]:
    yield Sample(row["right_response"], (row["knowledge"],), 1, row["dialogue_history"], part="-right")
    yield Sample(row["hallucinated_response"], (row["knowledge"],), 0, row["dialogue_history"], part="-hallucinated")


def _halueval_summarization(row: Row) -> Iterator[Sample]:
    yield Sample(row["right_summary"], (row["document"],), 1, part="-right")
    yield Sample(row["hallucinated_summary"], (row["document"],), 0, part="-hallucinated")


def _halubench(row: Row) -> Iterator[Sample]:
    """Rows of the published table, written as JSON lines."""
    label = {"PASS": 1, "FAIL": 0}[row["label"]]
    yield Sample(row["answer"], (row["passage"],), label, row["question"])


def _aggrefact(row: Row) -> Iterator[Sample]:
    """Rows of the published table, written as JSON lines. Claims have no question."""
    yield Sample(row["claim"], (row["doc"],), int(row["label"]))


_FORMATS: Final[Mapping[str, _Format]] = {
    "begin_wow": _Format("begin/begin_dev_wow.tsv", _tsv_rows, _begin),
    "begin_tc": _Format("begin/begin_dev_tc.tsv", _tsv_rows, _begin),
    "begin_cmu": _Format("begin/begin_dev_cmu.tsv", _tsv_rows, _begin),
    "q2": _Format("q2/cross_annotation.csv", _csv_rows, _q2),
    "wice": _Format("wice/oracle_chunks_claim_dev.jsonl", _json_rows, _wice),
    "bamboo": _Format("bamboo/senhallu_4k.jsonl", _json_rows, _bamboo),
    "mtrag": _Format("mtrag/human_eval.jsonl", _json_rows, _mtrag),
    "attributionbench": _Format("attributionbench/dev.jsonl", _json_rows, _attributionbench),
    "ragtruth": _Format("ragtruth/response.jsonl", _ragtruth_rows, _ragtruth),
    "halueval_qa": _Format("halueval/qa_data.json", _json_rows, _halueval_qa),
    "halueval_dialogue": _Format("halueval/dialogue_data.json", _json_rows, _halueval_dialogue),
    "halueval_summarization": _Format("halueval/summarization_data.json", _json_rows, _halueval_summarization),
    "halubench": _Format("halubench/test.jsonl", _json_rows, _halubench),
    "aggrefact": _Format("aggrefact/test.jsonl", _json_rows, _aggrefact),
    "felm": _Format("felm/all.jsonl", _json_rows, _felm),
    "medhalt": _Format("medhalt/reasoning_fake.csv", _csv_rows, _medhalt),
}

NAMES: Final = tuple(_FORMATS)
"""The sets that `load` knows."""
