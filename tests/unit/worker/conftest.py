"""Collaborators that every test of triage needs."""

import asyncio

import pytest

from worker.patience import Patience
from worker.settings import Retry


@pytest.fixture
def stop() -> asyncio.Event:
    return asyncio.Event()


@pytest.fixture
def patience(stop: asyncio.Event) -> Patience:
    return Patience(Retry(first_seconds=0.001, longest_seconds=0.002), stop)
