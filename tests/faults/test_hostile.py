"""Ten thousand messages that nobody can use, on the topics of a deployment at work."""

import pytest

from schemas import InvalidEvent, decode_label, decode_response
from tests.audit import fetch
from tests.faults.conftest import LONG
from tests.faults.stand import Stand
from tests.faults.test_scorer import scorers
from tests.unit.worker.malformed import LABEL, PRIVATE, RESPONSE, unusable

pytestmark = [pytest.mark.faults, pytest.mark.timeout(600)]

MESSAGES = 10_000


def is_response(value: bytes) -> bool:
    try:
        return bool(decode_response(value))
    except InvalidEvent:
        return False


def is_label(value: bytes) -> bool:
    try:
        return bool(decode_label(value))
    except InvalidEvent:
        return False


@LONG
async def test_malformed_messages_end_nothing_and_hold_nothing_up(stand: Stand) -> None:
    processes = [(worker.pid, *scorers(worker.pid)) for worker in stand.workers]
    responses, labels = unusable(RESPONSE, is_response, MESSAGES // 2), unusable(LABEL, is_label, MESSAGES // 2)
    async with stand.traffic(rate=2) as traffic:
        for response, label in zip(responses, labels, strict=True):
            await traffic.send_rubbish(response)
            await traffic.send_rubbish(label, stand.kafka.topics.labels)
    await stand.audit(within=240)
    assert [(worker.pid, *scorers(worker.pid)) for worker in stand.workers] == processes
    letters = await fetch(stand.database, "SELECT kind, field, reason FROM dead_letters")
    assert len(letters) >= MESSAGES
    assert {letter["kind"] for letter in letters} == {"invalid", "unreadable"}
    assert not [letter for letter in letters if PRIVATE in letter["reason"] + letter["field"]]
