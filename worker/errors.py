"""Every error that groundwatch raises on purpose. A class's docstring is its message unless the raiser says more."""


class GroundwatchError(Exception):
    """groundwatch could not do what it was asked."""

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or (self.__doc__ or "").splitlines()[0])


class InfrastructureError(GroundwatchError):
    """A service that groundwatch needs does not answer; the work is retried and nothing is committed meanwhile."""


class BrokerUnavailable(InfrastructureError):
    """The Kafka broker does not answer. Check kafka.bootstrap_servers and that the broker runs."""


class MessageTooLarge(GroundwatchError):
    """The broker takes no message of this size. Raise the topic's max.message.bytes."""


class StoreUnavailable(InfrastructureError):
    """Postgres does not answer. Check store.dsn and that the database runs."""


class StoreRefused(GroundwatchError):
    """Postgres refuses a value. Report this with the log."""


class ScorerUnavailable(InfrastructureError):
    """The scorer process could not be started. Its last lines are in the log; `groundwatch doctor` checks the models."""


class ConfigurationError(GroundwatchError):
    """The configuration is wrong; the message names the key and how to mend it."""


class WrongProfile(ConfigurationError):
    """No detector can be made of the profile; the message names file and key, or the model that is missing."""


class SchemaOutdated(ConfigurationError):
    """The database has an older schema than this version's, or none yet. Run `groundwatch db upgrade`."""


class NotFound(GroundwatchError):
    """There is no such thing; the message names it."""


class WrongRole(GroundwatchError):
    """The role is no role for this; the message says why."""


class Busy(GroundwatchError):
    """Another process is at this already. Run it again later."""


class TooFewLabels(GroundwatchError):
    """There are too few labels to calibrate with; the message says how many are needed."""


class Defect(GroundwatchError):
    """A defect ended the worker; report the log line with action part_failed."""


class Stalled(GroundwatchError):
    """There is lag but nothing has been committed for longer than watchdog.stall_seconds; the process ends so that another takes over."""
