"""A Postgres with TLS, of the server that is installed beside the tests: the embedded one is built without."""

import os
import pwd
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Final

import asyncpg
import pytest

from benchmarks.real_kafka import free_pair_of_ports
from tests.certificates import Authority
from tests.postgres_server import PostgresServer

PASSWORD: Final = "Recognise-This-Postgres-Password"
CERTIFIED: Final = "certified"
"""A role that is let in by its client certificate."""

_SYSTEM_USER: Final = "postgres"
"""Whom the server runs as where the tests run as root, which it refuses."""
_START_SECONDS: Final = 30
_CONFIGURATION: Final = """
listen_addresses = '127.0.0.1,127.0.0.2'
fsync = off
ssl = on
ssl_cert_file = 'server.pem'
ssl_key_file = 'server.key'
ssl_ca_file = 'trusted-ca.pem'
password_encryption = 'scram-sha-256'
"""
_ACCESS: Final = f"""
local all all trust
hostssl all {CERTIFIED} 127.0.0.0/8 cert
hostssl all all 127.0.0.0/8 scram-sha-256
"""


class SecurePostgres(PostgresServer):
    """On loopback with TLS only, by password or client certificate; the superuser comes in by the socket. Skips where none is installed."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory)
        binary = shutil.which("postgres")
        if binary is None:
            pytest.skip("no Postgres with TLS: postgres is not on the PATH")
        self._binaries = Path(binary).resolve().parent
        self._port = free_pair_of_ports()
        self._user = _SYSTEM_USER if os.geteuid() == 0 else None
        self.directory = directory

    def start(self) -> None:
        """Set it up and return once it answers."""
        self.directory.mkdir()
        self._own()
        self._run("initdb", "-U", "postgres", "--auth=trust", "--encoding=utf8", "--no-sync")
        self.authority, self.stranger = Authority(self.directory, "trusted"), Authority(self.directory, "stranger")
        self.authority.sign("server")
        self.client = self.authority.sign(CERTIFIED)
        self._set(f"port = {self._port}\nunix_socket_directories = '{self.directory}'\n{_CONFIGURATION}")
        (self.directory / "pg_hba.conf").write_text(_ACCESS)
        self._own()
        command = [str(self._binaries / "postgres"), "-D", str(self.directory)]
        with (self.directory / "log").open("wb") as log:
            self._process = subprocess.Popen(command, user=self._user, group=self._group, stdout=log, stderr=log, cwd="/", process_group=0)
        deadline = time.monotonic() + _START_SECONDS
        while not self._answers():
            assert time.monotonic() < deadline and self._process.poll() is None, (self.directory / "log").read_text()
            time.sleep(0.1)

    def stop(self) -> None:
        """Stop; open connections are cut."""
        if hasattr(self, "_process"):
            self._process.send_signal(signal.SIGINT)
            self._process.wait(30)

    def address(self, database: str) -> str:
        """The address of one of its databases, as superuser, by the socket."""
        return f"postgresql://postgres@/{database}?host={self.directory}&port={self._port}"

    def tls_address(self, database: str, role: str) -> str:
        """The address of one of its databases, by TLS, without a password."""
        return f"postgresql://{role}@127.0.0.1:{self._port}/{database}"

    def show(self, days: int) -> None:
        """Show connections from now on a new certificate of so many days."""
        self.authority.sign("server", days=days)
        self._own()
        self.execute("SELECT pg_reload_conf()")

    @property
    def _group(self) -> int | None:
        return pwd.getpwnam(self._user).pw_gid if self._user else None

    def _answers(self) -> bool:
        try:
            self.execute("SELECT 1")
        except (OSError, asyncpg.PostgresError):
            return False
        return True

    def _set(self, lines: str) -> None:
        with (self.directory / "postgresql.conf").open("a") as configuration:
            configuration.write(lines)

    def _run(self, command: str, *arguments: str) -> None:
        subprocess.run(
            [str(self._binaries / command), "-D", str(self.directory), *arguments],
            user=self._user,
            group=self._group,
            cwd="/",
            capture_output=True,
            check=True,
            timeout=60,
        )

    def _own(self) -> None:
        """Give all files to whom the server runs as; keys to nobody else."""
        for path in (self.directory, *self.directory.rglob("*")):
            if self._user:
                shutil.chown(path, self._user, self._group)
            if path.suffix == ".key":
                path.chmod(0o600)
