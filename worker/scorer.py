"""Scoring in a child process that may die: it is restarted, and the one answer that kills it is found by halving its batch."""

import asyncio
import logging
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from detectors import Answer, Assessment
from schemas import encode
from worker.credentials import without_settings
from worker.errors import ScorerUnavailable, WrongProfile
from worker.frames import framed, read_frame
from worker.policy import DetectorIdentity
from worker.scorer_process import ASSESSMENTS, OUT_OF_MEMORY, DetectorRequest, Loaded, Question
from worker.settings import Scorer as ScorerSettings

log = logging.getLogger("groundwatch.scorer")

COMMAND: Final = (sys.executable, "-m", "worker.scorer_process")


@dataclass(frozen=True, kw_only=True)
class Poison:
    """The answer that ends the scorer process whenever it is scored."""

    reason: str


_EXIT_SECONDS: Final = 2
"""Longest wait for the status of a process that has closed its pipe."""


_WAKING_SECONDS: Final = 0.5
"""A worker that was frozen wakes up past its limit while the reply lies there: it takes that before it blames anyone."""


class _Died(Exception):
    """The scorer process ended or hung while it had answers in hand."""


class Scorer:
    """One scorer process. Not for concurrent use."""

    def __init__(self, settings: ScorerSettings, command: Sequence[str] = COMMAND) -> None:
        self._settings = settings
        self._command = command
        self._process: Process | None = None
        self._identity: DetectorIdentity | None = None
        self.restarts = 0
        """How often the process had to be started again."""

    @property
    def pid(self) -> int | None:
        """The child's process id while it runs."""
        return self._process.pid if self._process else None

    async def start(self) -> DetectorIdentity:
        """The identity of the detector, its models loaded. Raises ScorerUnavailable, or WrongProfile."""
        if self._process is not None and self._process.returncode is not None:
            log.warning("scorer process ended by itself", extra={"action": "scorer_died", "pid": self._process.pid})
            await self.stop()
        if self._process is None or self._identity is None:
            self._identity = await self._spawn()
        return self._identity

    async def assess(self, answers: Sequence[Answer], shed: int = 0) -> list[Assessment | Poison]:
        """One result an answer, in order, with `shed` steps left out. Raises ScorerUnavailable when no process can be started."""
        return await self._assess(answers, shed, tries=2) if answers else []

    async def stop(self) -> None:
        """End the process; it finishes nothing."""
        process, self._process = self._process, None
        if process is None:
            return
        if process.returncode is None:
            # Process.kill would poll first, and so take the exit status away from the event loop.
            with suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGKILL)
        await process.wait()

    async def _assess(self, answers: Sequence[Answer], shed: int, tries: int) -> list[Assessment | Poison]:
        """A process that was killed from outside deserves another try before a batch is halved or an answer is blamed."""
        for _ in range(tries):
            pid = self.pid
            try:
                return list(await self._ask(answers, shed))
            except _Died as death:
                reason = str(death)
                log.warning("scorer died: %s", reason, extra={"action": "scorer_died", "pid": pid, "answers": len(answers)})
        if len(answers) == 1:
            return [Poison(reason=reason)]
        half = len(answers) // 2
        return [
            result
            for part in (answers[:half], answers[half:])
            for result in await self._assess(part, shed, tries=2 if len(part) == 1 else 1)
        ]

    async def _ask(self, answers: Sequence[Answer], shed: int) -> list[Assessment]:
        await self.start()
        process = self._process
        assert process is not None and process.stdin is not None and process.stdout is not None
        millions = sum(len(answer.response) + sum(map(len, answer.contexts)) for answer in answers) / 1e6
        limit = self._settings.timeout_seconds + millions * self._settings.timeout_seconds_per_million_chars
        exchange = asyncio.create_task(_exchange(process.stdin, process.stdout, encode(Question(answers=tuple(answers), shed=shed))))
        try:
            if not (await asyncio.wait({exchange}, timeout=limit))[0]:
                await asyncio.wait({exchange}, timeout=_WAKING_SECONDS)
            if not exchange.done():
                raise TimeoutError
            reply = exchange.result()
        except (asyncio.IncompleteReadError, ConnectionError) as gone:
            with suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), _EXIT_SECONDS)
            await self.stop()
            raise _Died(_said_by(process.returncode)) from gone
        except TimeoutError:
            await self.stop()
            raise _Died("the scorer process hung while scoring") from None
        except BaseException:
            await self.stop()  # a reply that nobody read would answer the next question
            raise
        finally:
            exchange.cancel()
            await asyncio.gather(exchange, return_exceptions=True)
        return ASSESSMENTS.validate_json(reply)

    async def _spawn(self) -> DetectorIdentity:
        environment = without_settings(os.environ) | {"OMP_NUM_THREADS": str(self._settings.threads), "TOKENIZERS_PARALLELISM": "false"}
        process = await asyncio.create_subprocess_exec(*self._command, stdin=PIPE, stdout=PIPE, start_new_session=True, env=environment)
        if self._identity is not None:
            self.restarts += 1
        self._process = process
        assert process.stdin is not None and process.stdout is not None
        settings = self._settings
        request = DetectorRequest(
            profile=settings.profile,
            encoder=settings.encoder,
            device=settings.device,
            memory=settings.memory_megabytes * 1_000_000,
            headroom=settings.headroom_megabytes * 1_000_000,
        )
        try:
            async with asyncio.timeout(self._settings.start_timeout_seconds):
                process.stdin.write(framed(encode(request)))
                loaded = Loaded.model_validate_json(await read_frame(process.stdout))
        except (asyncio.IncompleteReadError, ConnectionError, TimeoutError) as failed:
            await self.stop()
            raise ScorerUnavailable from failed
        except BaseException:
            await self.stop()
            raise
        if loaded.detector is None:
            await self.stop()
            raise WrongProfile(loaded.error)
        if self._identity not in (None, loaded.detector):
            await self.stop()
            raise WrongProfile(
                "the detector has changed since it was loaded; send the worker SIGHUP, or restart it, to score with the new one"
            )
        log.info("scorer ready", extra={"action": "scorer_ready", "fingerprint": loaded.detector.fingerprint, "pid": process.pid})
        return loaded.detector


async def _exchange(stdin: asyncio.StreamWriter, stdout: asyncio.StreamReader, question: bytes) -> bytes:
    stdin.write(framed(question))
    await stdin.drain()
    return await read_frame(stdout)


def _said_by(status: int | None) -> str:
    if status == OUT_OF_MEMORY:
        return "scoring took more memory than scorer.headroom_megabytes allows"
    return f"the scorer process ended with status {status} while scoring"
