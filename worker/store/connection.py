"""Opening connections to Postgres."""

import ssl
from typing import Any, Final

import asyncpg

from worker import settings
from worker.credentials import secret, tls_context
from worker.errors import ConfigurationError

SESSION: Final = {"search_path": "groundwatch", "application_name": "groundwatch"}
"""Server settings of every connection: all objects live in a schema of their own."""


async def open_connection(store: settings.Store, **options: Any) -> Any:
    """A connection to `store.dsn`, with the driver's options. Files that hold secrets and certificates are read for each.

    Raises ConfigurationError for an address that is none; it may hold a password. Raises OSError for a file that cannot be used.
    """
    try:
        return await asyncpg.connect(
            store.dsn.get_secret_value(), password=secret("store.password", store.password, store.password_file), **_tls(store), **options
        )
    except ssl.SSLError:  # a ValueError too, of a certificate
        raise
    except ValueError:
        raise ConfigurationError("setting store.dsn: expected is an address such as postgresql://user:password@host:5432/name") from None


def _tls(store: settings.Store) -> dict[str, Any]:
    """The driver's argument for `store.sslmode`; none where the address decides."""
    if store.sslmode is None:
        return {}
    if store.sslmode in {"disable", "prefer"}:
        return {"ssl": store.sslmode}
    context = tls_context("store", store.ca_file, store.certificate_file, store.key_file)
    context.check_hostname = store.sslmode == "verify-full"
    if store.sslmode == "require":
        context.verify_mode = ssl.CERT_NONE
    return {"ssl": context}
