"""What the driver raises, in groundwatch's terms."""

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import asyncpg

from worker.credentials import SecretUnreadable, certificate_fault
from worker.errors import SchemaOutdated, StoreRefused, StoreUnavailable

_UNAVAILABLE: Final = (
    OSError,
    TimeoutError,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.InsufficientResourcesError,
    asyncpg.TransactionRollbackError,
    asyncpg.LockNotAvailableError,
    asyncpg.ReadOnlySQLTransactionError,
    asyncpg.InvalidAuthorizationSpecificationError,
    asyncpg.InvalidCatalogNameError,
    asyncpg.InsufficientPrivilegeError,
    asyncpg.InvalidCachedStatementError,
    asyncpg.PostgresSystemError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
)
"""What time or an operator mends. Anything else is a defect, and surfaces without the values, which the driver quotes."""


_OF_THE_NETWORK: Final = (ConnectionRefusedError, ConnectionResetError, ConnectionAbortedError, BrokenPipeError)
"""Of what is a ConnectionError, the rest is the driver's word on a handshake."""


@contextmanager
def translated() -> Iterator[None]:
    """Raise StoreUnavailable or SchemaOutdated in place of the driver's errors of that meaning."""
    try:
        yield
    except (asyncpg.UndefinedTableError, asyncpg.UndefinedColumnError, asyncpg.InvalidSchemaNameError) as missing:
        raise SchemaOutdated from missing
    except (asyncpg.DataError, asyncpg.IntegrityConstraintViolationError) as refused:  # DataError may be the driver's own
        raise StoreRefused(f"Postgres refuses a value ({type(refused).__name__}). Report this with the log.") from None
    except _UNAVAILABLE as fault:
        if isinstance(fault, ValueError) and not isinstance(fault, ssl.SSLError):  # the driver's complaint about its configuration
            raise
        raise StoreUnavailable(_explained(fault)) from fault


def _explained(fault: BaseException) -> str:
    """What happened and what to do."""
    match fault:
        case SecretUnreadable():
            return f"Postgres cannot be asked: {fault}"
        case ssl.SSLCertVerificationError():
            return f"Postgres cannot be trusted: {certificate_fault(fault, 'store', 'store.dsn')}"
        case asyncpg.InvalidAuthorizationSpecificationError():
            return f"Postgres refuses the login ({_reason(fault)}). Check user and store.password_file, store.sslmode and pg_hba.conf."
        case asyncpg.InsufficientPrivilegeError():
            said = "Use a role that may, or let the owner of the schema run `groundwatch db grant`"
            return f"Postgres refuses what the role may not do ({_reason(fault)}). {said}."
        case ssl.SSLError() | ConnectionError() if type(fault) not in _OF_THE_NETWORK:
            said = "Check store.sslmode, store.certificate_file and whether ssl is on there"
            return f"Postgres does not answer with TLS ({_reason(fault)}). {said}."
    return f"Postgres does not answer ({_reason(fault)}). Check store.dsn and that the database runs."


def _reason(fault: BaseException) -> str:
    """The server's message without its details, which may quote a row."""
    return getattr(fault, "message", None) or str(fault) or type(fault).__name__
