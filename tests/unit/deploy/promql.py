"""What a worker exports, and what an expression in PromQL takes of it."""

import re
from functools import singledispatch

import promql_parser
from prometheus_client import CollectorRegistry
from promql_parser import (
    AggModifierType,
    AggregateExpr,
    BinaryExpr,
    Call,
    Expr,
    MatrixSelector,
    ParenExpr,
    SubqueryExpr,
    UnaryExpr,
    VectorSelector,
)

from worker.monitor.metrics import MonitorMetrics
from worker.telemetry import Telemetry

OF_THE_SCRAPE = {"instance", "job"}
"""Labels that Prometheus adds."""


def exported() -> dict[str, set[str]]:
    """Every series of a worker with the names of its labels."""
    registry = CollectorRegistry()
    Telemetry(registry)
    MonitorMetrics(registry)
    return {
        name: set(collector._labelnames) | ({"le"} if name.endswith("_bucket") else set())
        for collector, names in registry._collector_to_names.items()
        for name in names
        if not name.endswith("_created") and not (name == collector._name and collector._type in {"counter", "histogram"})
    }


METRICS = exported()


def read(expression: str) -> Expr:
    """The parsed expression, Grafana's intervals being five minutes. Raises ValueError for what is no PromQL."""
    return promql_parser.parse(re.sub(r"\$__(rate_interval|interval|range)", "5m", expression))


def check_metrics(expression: str) -> set[str]:
    """The labels of what `expression` gives. Raises AssertionError when a metric or a label in it does not exist there."""
    return labels(read(expression))


@singledispatch
def labels(expr: Expr) -> set[str]:
    """The labels of what a part of an expression gives; a literal has none."""
    return set()


@labels.register
def _(expr: VectorSelector) -> set[str]:
    assert expr.name in METRICS, f"no worker exports {expr.name}"
    found = METRICS[expr.name] | OF_THE_SCRAPE
    return _within(found, {matcher.name for matcher in expr.matchers.matchers}, expr, found)


@labels.register
def _(expr: MatrixSelector) -> set[str]:
    return labels(expr.vector_selector)


@labels.register(ParenExpr)
@labels.register(UnaryExpr)
@labels.register(SubqueryExpr)
def _(expr: ParenExpr | UnaryExpr | SubqueryExpr) -> set[str]:
    return labels(expr.expr)


@labels.register
def _(expr: Call) -> set[str]:
    found = set().union(*map(labels, expr.args))
    if expr.func.name != "histogram_quantile":
        return found
    return _within(found, {"le"}, expr, found - {"le"})


@labels.register
def _(expr: AggregateExpr) -> set[str]:
    found = labels(expr.expr)
    if expr.modifier is None:
        return set()
    named = set(expr.modifier.labels)
    return _within(found, named, expr, named if expr.modifier.type == AggModifierType.By else found - named)


@labels.register
def _(expr: BinaryExpr) -> set[str]:
    left, right = labels(expr.lhs), labels(expr.rhs)
    if str(expr.op) == "or":
        return left & right
    matching = expr.modifier and expr.modifier.matching
    if matching is None:
        assert not (left and right) or left == right, f"nothing matches in {expr.prettify()}"
        return left or right
    named = set(matching.labels)
    return _within(left & right, named, expr, left)


def _within(found: set[str], named: set[str], expr: Expr, result: set[str]) -> set[str]:
    assert named <= found, f"{sorted(named - found)} are no labels in {expr.prettify()}"
    return result
