"""What a big expiry costs is measured while it really runs."""

from pathlib import Path

import orjson
import pytest

from benchmarks.expiry import main


@pytest.mark.services
def test_recording_is_measured_with_and_without_an_expiry(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(rows=256, batches=3, out=tmp_path / "expiry.json")
    found = orjson.loads((tmp_path / "expiry.json").read_bytes())
    assert found["ratio"] == pytest.approx(found["p95_ms_while_expiring"] / found["p95_ms_without"])
    assert found["expired_rows"] > 0
    assert "ratio" in capsys.readouterr().out
