"""The commands that talk to the broker and the database, on an embedded one of each."""

import base64
import json
from datetime import UTC, datetime
from pathlib import Path

import orjson
import pytest
from aiokafka import AIOKafkaConsumer
from pydantic import SecretStr

from schemas import DeadLetter, Limits, decode_label
from tests.acceptance.command import Ran, assert_one_line, groundwatch
from tests.integration.worker.store.factories import labelled
from worker.settings import Store
from worker.store import DeadLettered, Position
from worker.store.postgres import PostgresStore

pytestmark = [pytest.mark.services, pytest.mark.timeout(180)]

PLACE = Position("llm.responses", 0, 0)
RESPONSE = {"response_id": "r-1", "contexts": ["At nine."], "response": "At nine."}
LABEL = {"response_id": "r-1", "label": 1}


@pytest.fixture
def settings_file(tmp_path, broker, database) -> Path:
    path = tmp_path / "groundwatch.yaml"
    path.write_text(
        json.dumps({"kafka": {"bootstrap_servers": broker.bootstrap_servers, "manage_topics": False}, "store": {"dsn": database}})
    )
    return path


@pytest.fixture
async def dead_letter(database) -> DeadLetter:
    """One dead letter in the store, and its account."""
    letter = DeadLetter(
        topic=PLACE.topic,
        partition=PLACE.partition,
        offset=PLACE.offset,
        kind="invalid",
        field="contexts",
        reason="is missing",
        key_base64=base64.b64encode(b"r-1").decode(),
        original_base64=base64.b64encode(b'{"response": "private"}').decode(),
        headers=(("trace", base64.b64encode(b"t-1").decode()),),
        failed_at=datetime(2026, 1, 2, tzinfo=UTC),
    )
    await keep(letter, database)
    return letter


async def keep(letter: DeadLetter, database: str) -> None:
    """Record a dead letter where it stood."""
    store = await PostgresStore.connect(Store(dsn=SecretStr(database)))
    await store.record([DeadLettered.of(letter)])
    await store.close()


async def read(servers: str, topic: str, count: int) -> list:
    """The first `count` messages of a topic."""
    consumer = AIOKafkaConsumer(topic, bootstrap_servers=servers, auto_offset_reset="earliest", enable_auto_commit=False)
    await consumer.start()
    try:
        messages: list = []
        while len(messages) < count:
            for batch in (await consumer.getmany(timeout_ms=500)).values():
                messages += batch
        return messages
    finally:
        await consumer.stop()


def ran_json(ran: Ran):
    assert ran.out, ran.err
    return json.loads(ran.out)


async def test_emit_sends_each_line_to_its_topic_as_it_stands(settings_file, broker, tmp_path):
    events = tmp_path / "events.jsonl"
    events.write_bytes(orjson.dumps(RESPONSE) + b"\n{broken\n" + orjson.dumps(LABEL) + b"\n")
    ran = groundwatch("emit", events, "--config", settings_file, "--json")
    assert ran.code == 1
    assert ran_json(ran) == {"llm.responses": 1, "llm.labels": 1, "rejected": 1}
    assert ran.err.startswith("line 2: the line is not JSON")
    (response,), (label,) = await read(broker.bootstrap_servers, "llm.responses", 1), await read(broker.bootstrap_servers, "llm.labels", 1)
    assert (response.key, response.value) == (b"r-1", orjson.dumps(RESPONSE))
    assert (label.key, label.value) == (b"r-1", orjson.dumps(LABEL))


async def test_a_dead_letter_is_listed_shown_and_replayed(settings_file, broker, dead_letter, tmp_path):
    (listed,) = ran_json(groundwatch("dead-letters", "list", "--kind", "invalid", "--json", "--config", settings_file))
    assert (listed["place"], listed["field"], listed["replayed_at"], listed["message"]) == (PLACE.place, "contexts", None, "kept")
    shown = groundwatch("dead-letters", "show", PLACE.place, "--config", settings_file)
    assert b"is missing" in shown.out
    assert b"private" not in shown.out
    assert groundwatch("dead-letters", "show", PLACE.place, "--raw", "--config", settings_file).out == dead_letter.original

    mended = tmp_path / "mended.json"
    mended.write_bytes(orjson.dumps(RESPONSE))
    assert groundwatch("dead-letters", "replay", PLACE.place, "--with", mended, "--config", settings_file).code == 0
    (message,) = await read(broker.bootstrap_servers, PLACE.topic, 1)
    assert (message.key, message.value) == (b"r-1", orjson.dumps(RESPONSE))
    assert dict(message.headers) == {"trace": b"t-1", "groundwatch-replay-of": PLACE.place.encode(), "groundwatch-attempt": b"1"}
    (listed,) = ran_json(groundwatch("dead-letters", "list", "--json", "--config", settings_file))
    assert listed["replayed_at"] is not None
    again = groundwatch("dead-letters", "replay", PLACE.place, "--with", mended, "--config", settings_file)
    assert "replayed already" in again.err

    absent = groundwatch("dead-letters", "show", "llm.responses/0/99", "--config", settings_file)
    assert absent.code == 1
    assert absent.err.count("\n") == 1


async def test_many_are_replayed_by_reason_and_what_fails_again_is_left_out(settings_file, broker, dead_letter, database):
    def replay(*options: str):
        return ran_json(groundwatch("dead-letters", "replay", *options, "--json", "--config", settings_file))

    def ended(place: str):
        return ran_json(groundwatch("dead-letters", "show", place, "--json", "--config", settings_file))

    await keep(dead_letter.model_copy(update={"partition": 9, "reason": "holds 2,000 contexts"}), database)
    groups = ran_json(groundwatch("dead-letters", "list", "--by-reason", "--json", "--config", settings_file))
    assert [(group["reason"], group["letters"]) for group in groups] == [("holds 2,000 contexts", 1), ("is missing", 1)]
    assert replay("--reason", "missing", "--dry-run") == {"replayed": [], "would_replay": [PLACE.place]}
    assert replay("--reason", "missing") == {"replayed": [PLACE.place], "would_replay": []}
    assert replay("--reason", "missing") == {"replayed": [], "would_replay": []}

    (message,) = await read(broker.bootstrap_servers, PLACE.topic, 1)
    (sent,) = ended(PLACE.place)["replays"]
    assert (sent["sent"], sent["ended"]) == (f"{message.topic}/{message.partition}/{message.offset}", "waiting")
    headers = tuple((name, base64.b64encode(value).decode()) for name, value in message.headers)
    moved = {"partition": message.partition, "offset": 5, "headers": headers}  # where the broker has put it the first letter stands
    await keep(dead_letter.model_copy(update=moved), database)
    failed = f"{PLACE.topic}/{message.partition}/5"
    assert {name: ended(failed)[name] for name in ("replay_of", "attempt")} == {"replay_of": PLACE.place, "attempt": 1}
    left_out = groundwatch("dead-letters", "replay", "--reason", "missing", "--config", settings_file)
    assert (left_out.code, b"replayed 0 messages" in left_out.out, "left out: 1" in left_out.err) == (0, True, True)
    assert replay("--reason", "missing", "--again") == {"replayed": [failed], "would_replay": []}


async def test_what_is_old_expires_and_who_asks_is_erased(settings_file, dead_letter, database):
    counts = ran_json(groundwatch("expire", "--json", "--config", settings_file))
    assert counts == dict.fromkeys(("texts", "originals", "decisions", "labels", "snapshots"), 0) | {"dead_letters": 0}
    erased = groundwatch("erase", "--response-id", "r-1", "--by", "dpo", "--reason", "asked", "--json", "--config", settings_file)
    assert (erased.code, [(row["name"], row["originals"]) for row in ran_json(erased)]) == (0, [("r-1", 1)])
    absent = groundwatch("erase", "--response-id", "r-1", "--subject", "jo", "--config", settings_file)
    assert (absent.code, absent.err.count("\n")) == (1, 1)
    assert b"jo" not in absent.out.replace(b"subject", b"")
    listed = ran_json(groundwatch("erase", "--list", "--json", "--config", settings_file))
    assert [(row["kind"], row["by"], row["originals"]) for row in listed] == [
        ("response", "dpo", 1),
        ("response", None, 0),
        ("subject", None, 0),
    ]
    assert_one_line(groundwatch("dead-letters", "replay", PLACE.place, "--config", settings_file), "no original", "--with FILE")


async def test_a_tombstone_is_replayed_only_with_a_message_in_its_place(settings_file, broker, dead_letter, database, tmp_path):
    offset = PLACE.offset + 1
    await keep(dead_letter.model_copy(update={"offset": offset, "key_base64": None, "original_base64": None}), database)
    place = f"{PLACE.topic}/{PLACE.partition}/{offset}"
    assert_one_line(groundwatch("dead-letters", "replay", place, "--config", settings_file), "no original", "--with FILE")
    mended = tmp_path / "mended.json"
    mended.write_bytes(orjson.dumps(RESPONSE))
    assert groundwatch("dead-letters", "replay", place, "--with", mended, "--config", settings_file).code == 0


def test_an_account_beyond_the_topics_end_does_not_balance(settings_file, dead_letter, tmp_path):
    ran = groundwatch("ledger", "--json", "--config", settings_file)
    found = ran_json(ran)
    assert ran.code == 1
    assert not found["balanced"]
    assert found["partitions"][0]["dead_lettered"] == 1

    events = tmp_path / "events.jsonl"
    events.write_bytes(b"".join(orjson.dumps(RESPONSE | {"response_id": f"r-{n}"}) + b"\n" for n in range(40)))
    assert groundwatch("emit", events, "--config", settings_file).code == 0
    ran = groundwatch("ledger", "--json", "--config", settings_file)
    assert ran.code == 0
    assert ran_json(ran)["balanced"]
    assert ran_json(ran)["lag"] == sum(one["lag"] for one in ran_json(ran)["partitions"]) == 39
    table = groundwatch("ledger", "--config", settings_file)
    assert table.code == 0
    assert b"lag in all: 39 messages" in table.out
    assert b"the ledger balances" in table.out


def test_auroc_without_a_label_says_so(settings_file):
    ran = groundwatch("auroc", "--config", settings_file)
    assert (ran.code, ran.out) == (0, b"no snapshot yet: labels must arrive first\n")
    ran = groundwatch("auroc", "--segment", "a/b", "--config", settings_file)
    assert ran.code == 1
    assert "a/b has no snapshot" in ran.err


def test_an_upgraded_database_needs_no_upgrade(settings_file):
    ran = groundwatch("db", "upgrade", "--json", "--config", settings_file)
    assert (ran.code, ran_json(ran)) == (0, {"applied": []})


def test_doctor_notices_a_database_that_cannot_be_written(settings_file, database):
    read_only = f"store.dsn={database}{'&' if '?' in database else '?'}default_transaction_read_only=on"
    ran = groundwatch("doctor", "--json", "--config", settings_file, "--set", read_only)
    (check,) = [check for check in ran_json(ran) if check["name"] == "database"]
    assert (ran.code, check["status"]) == (1, "failed")
    assert "cannot be written" in check["detail"]


def test_doctor_finds_broker_and_database(settings_file):
    checks = {check["name"]: check["status"] for check in ran_json(groundwatch("doctor", "--json", "--config", settings_file))}
    assert (checks["configuration"], checks["broker"], checks["database"], checks["topics"]) == ("ok", "ok", "ok", "warning")


async def test_who_labelled_what_how_far_they_agree_and_what_is_to_be_decided(settings_file, broker, database):
    def run(*arguments: str) -> Ran:
        return groundwatch("labels", *arguments, "--config", settings_file)

    store = await PostgresStore.connect(Store(dsn=SecretStr(database)))
    said = [(f"r-{n}", n % 2 if who == "jo" or n < 8 else 1 - n % 2, who) for n in range(10) for who in ("jo", "al")]
    await store.record([labelled(place, name, label, annotator=who, minute=place) for place, (name, label, who) in enumerate(said)])
    await store.close()

    agreement = ran_json(run("agreement", "--json"))
    assert (agreement["all"]["items"], agreement["two"][0]["raters"]) == (10, ["human:al", "human:jo"])
    assert agreement["two"][0]["kappa"] == pytest.approx(0.6)
    assert b"all (Fleiss)" in run("agreement").out
    assert [one["response_id"] for one in ran_json(run("disputed", "--json"))] == ["r-9", "r-8"]
    assert b"human:al grounded, human:jo hallucinated" in run("disputed").out
    assert [one["label"] for one in ran_json(run("show", "r-8", "--json"))] == [1, 0]

    given = run("give", "r-8", "unsure", "--annotator", "eve")
    assert (given.code, b"r-8 is unsure, says eve" in given.out) == (0, True)
    (sent,) = await read(broker.bootstrap_servers, "llm.labels", 1)
    event = decode_label(sent.value, (), Limits())
    assert (sent.key, event.label, event.source, event.annotator) == (b"r-8", "unsure", "adjudication", "eve")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("show", "r-404"), "response r-404 has no label"),
        (("disputed", "--segment", "no/such"), "segment no/such has no labelled answer"),
        (("give", "r-1", "1", "--annotator", ""), "annotator"),
        (("give", "r-1", "2", "--annotator", "jo"), "'2' is not one of"),
    ],
)
def test_labels_that_are_not_there_or_no_labels_are_said(settings_file, arguments, says):
    ran = groundwatch("labels", *arguments, "--config", settings_file)
    assert (ran.code, says in ran.err) == (2 if arguments[0] != "show" else 1, True), ran.err
    assert_one_line(ran)
