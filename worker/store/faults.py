"""What the driver raises, in groundwatch's terms."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import asyncpg

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
        if isinstance(fault, ValueError):  # the driver's complaint about its configuration
            raise
        raise StoreUnavailable(f"Postgres does not answer ({_reason(fault)}). Check store.dsn and that the database runs.") from fault


def _reason(fault: BaseException) -> str:
    """The server's message without its details, which may quote a row."""
    return getattr(fault, "message", None) or str(fault) or type(fault).__name__
