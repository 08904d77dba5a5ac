ALTER TABLE decisions
    ADD COLUMN degraded boolean,
    ADD COLUMN latency_ms double precision,
    ADD COLUMN llm_latency_ms double precision;
CREATE INDEX decisions_hour ON decisions USING brin (date_bin('1 hour', decided_at, 'epoch'));
CREATE INDEX decisions_day ON decisions USING brin (date_bin('1 day', decided_at, 'epoch'));
COMMENT ON COLUMN decisions.degraded IS 'Judged without all models, because of overload; null before this was kept here, as are the latencies.';
COMMENT ON COLUMN decisions.latency_ms IS 'From taking the event in hand to its decision.';
COMMENT ON COLUMN decisions.llm_latency_ms IS 'The LLM''s own response time, as the event said.';

ALTER TABLE auroc_snapshots
    ADD COLUMN auroc double precision,
    ADD COLUMN low double precision,
    ADD COLUMN high double precision,
    ADD COLUMN grounded integer,
    ADD COLUMN hallucinated integer,
    ADD COLUMN reason text;
COMMENT ON COLUMN auroc_snapshots.auroc IS 'What follows is the final score''s, as in the payload, for reading many at once.';
UPDATE auroc_snapshots AS snapshot
SET auroc = final.auroc, low = final.low, high = final.high, grounded = final.grounded, hallucinated = final.hallucinated, reason = final.reason
FROM auroc_snapshots AS theirs
CROSS JOIN LATERAL json_to_record(theirs.payload -> 'scores' -> 'final') AS final (
    auroc double precision, low double precision, high double precision, grounded integer, hallucinated integer, reason text
)
WHERE theirs.snapshot_id = snapshot.snapshot_id;

CREATE VIEW decisions_hourly AS
SELECT
    date_bin('1 hour', decided_at, 'epoch') AS hour,
    dataset,
    model,
    count(*) AS decisions,
    count(*) FILTER (WHERE decision = 'ACCEPT') AS accepted,
    count(*) FILTER (WHERE decision = 'REVIEW') AS to_review,
    count(*) FILTER (WHERE decision = 'REJECT') AS rejected,
    count(*) FILTER (WHERE score_status = 'scored')::double precision / count(*) AS scored_share,
    avg(final) AS mean_final,
    count(*) FILTER (WHERE degraded)::double precision / nullif(count(degraded), 0) AS degraded_share,
    percentile_cont(0.5) WITHIN GROUP (ORDER BY latency_ms) AS latency_ms_median,
    percentile_cont(0.95) WITHIN GROUP (ORDER BY latency_ms) AS latency_ms_p95
FROM decisions
WHERE enforced
GROUP BY 1, 2, 3;
COMMENT ON VIEW decisions_hourly IS 'Decisions by the hour in which they were made (UTC) and segment.';
COMMENT ON COLUMN decisions_hourly.scored_share IS 'Share of the decisions that mean_final is made of.';

CREATE VIEW labels_daily AS
SELECT
    date_bin('1 day', labelled_at, 'epoch') AS day,
    source,
    count(*) AS labels,
    count(*) FILTER (WHERE label = 1) AS grounded,
    count(*) FILTER (WHERE label = 0) AS hallucinated,
    count(*) FILTER (WHERE label IS NULL) AS unsure
FROM labels
GROUP BY 1, 2;
COMMENT ON VIEW labels_daily IS 'Labels, corrections among them, by the day on which they were given (UTC) and source.';

CREATE VIEW auroc_history AS
SELECT
    taken_at,
    dataset,
    model,
    auroc,
    low,
    high,
    grounded,
    hallucinated,
    reason
FROM auroc_snapshots;
COMMENT ON VIEW auroc_history IS 'Rolling AUROC of the final score with its 95 % interval, a row a snapshot.';
COMMENT ON COLUMN auroc_history.reason IS 'Why there is no figure.';

CREATE VIEW review_queue AS
SELECT
    response_id,
    dataset,
    model,
    decision,
    audit,
    decided_at,
    extract(epoch FROM now() - decided_at)::double precision AS age_seconds
FROM decisions
WHERE enforced AND (decision = 'REVIEW' OR audit) AND NOT EXISTS (SELECT FROM labels WHERE labels.response_id = decisions.response_id);
COMMENT ON VIEW review_queue IS 'Decisions that wait for a label: REVIEW, and those that chance chose to be labelled.';

CREATE VIEW review_load AS
SELECT
    date_bin('1 day', labelled_at, 'epoch') AS day,
    source,
    annotator,
    count(*) AS labels,
    percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM labelled_at - decided_at)::double precision)
        FILTER (WHERE labelled_at >= decided_at) AS seconds_to_label_median
FROM labels
CROSS JOIN LATERAL (
    SELECT min(decided_at) AS decided_at FROM decisions WHERE decisions.response_id = labels.response_id
) AS decided
GROUP BY 1, 2, 3;
COMMENT ON VIEW review_load IS 'Labels by the day on which they were given (UTC), source and annotator.';
COMMENT ON COLUMN review_load.seconds_to_label_median IS 'From the first decision on a response to its label; labels older than the decision stand outside.';

CREATE VIEW latency_budget AS
SELECT
    date_bin('1 day', decided_at, 'epoch') AS day,
    dataset,
    model,
    count(*) AS decisions,
    count(*) FILTER (WHERE latency_ms <= 0.5 * llm_latency_ms)::double precision / count(*) AS within_share,
    percentile_cont(0.5) WITHIN GROUP (ORDER BY latency_ms / nullif(llm_latency_ms, 0)) AS ratio_median,
    percentile_cont(0.95) WITHIN GROUP (ORDER BY latency_ms / nullif(llm_latency_ms, 0)) AS ratio_p95
FROM decisions
WHERE enforced AND latency_ms IS NOT NULL AND llm_latency_ms IS NOT NULL
GROUP BY 1, 2, 3;
COMMENT ON VIEW latency_budget IS 'Decisions beside the LLM''s own time, where the event told it, by day (UTC) and segment.';
COMMENT ON COLUMN latency_budget.within_share IS 'Share that was decided in half of the LLM''s own time or less.';
COMMENT ON COLUMN latency_budget.ratio_median IS 'The time to decide, divided by the LLM''s own.';

CREATE VIEW mispredictions AS
SELECT
    date_bin('1 day', labelled_at, 'epoch') AS day,
    row_number() OVER (
        PARTITION BY date_bin('1 day', labelled_at, 'epoch'), pairs.decision
        ORDER BY CASE pairs.decision WHEN 'ACCEPT' THEN -final ELSE final END, pairs.response_id
    ) AS place,
    CASE pairs.decision WHEN 'ACCEPT' THEN 'false_accept' ELSE 'false_reject' END AS kind,
    pairs.response_id,
    pairs.dataset,
    pairs.model,
    final,
    labelled_at,
    source
FROM pairs
JOIN decisions USING (decision_id)
WHERE pairs.enforced AND final IS NOT NULL AND (pairs.decision, label) IN (('ACCEPT', 0), ('REJECT', 1));
COMMENT ON VIEW mispredictions IS 'Accepted answers that are hallucinated and rejected ones that are grounded, by the day of the label (UTC).';
COMMENT ON COLUMN mispredictions.place IS 'The most confident of its day and kind is 1.';
