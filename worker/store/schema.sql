-- The whole schema: what all migrations together make. A test proves that they agree.
-- Key columns compare by bytes ("C"), so that Postgres and Python sort alike and indexes outlive an upgrade of the locale library.

CREATE SCHEMA groundwatch;
SET LOCAL search_path TO groundwatch;

CREATE TABLE migrations (
    name text COLLATE "C" PRIMARY KEY,
    applied_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE migrations IS 'Migrations that have been applied.';

CREATE TABLE decisions (
    decision_id uuid PRIMARY KEY,
    response_id text COLLATE "C" NOT NULL,
    dataset text COLLATE "C" NOT NULL,
    model text COLLATE "C" NOT NULL,
    decision text NOT NULL,
    score_status text NOT NULL,
    final double precision CHECK (final <> 'NaN'),
    scores json NOT NULL,
    fingerprint text NOT NULL,
    failure_type text NOT NULL,
    created_at timestamptz,
    decided_at timestamptz NOT NULL,
    payload json NOT NULL,
    audit boolean NOT NULL DEFAULT false,
    dimensions jsonb NOT NULL DEFAULT '{}',
    enforced boolean NOT NULL DEFAULT true,
    traits json,
    degraded boolean,
    latency_ms double precision,
    llm_latency_ms double precision
);
CREATE INDEX decisions_response_id ON decisions (response_id);
CREATE INDEX decisions_served ON decisions (dataset, model, coalesce(created_at, decided_at)) INCLUDE (decision);
CREATE INDEX decisions_age ON decisions (decided_at, decision_id);
CREATE INDEX decisions_hour ON decisions USING brin (date_bin('1 hour', decided_at, 'epoch'));
CREATE INDEX decisions_day ON decisions USING brin (date_bin('1 day', decided_at, 'epoch'));
COMMENT ON TABLE decisions IS 'What was decided about each response; no private text.';
COMMENT ON COLUMN decisions.decision_id IS 'UUIDv5 of response id and fingerprint: the same response judged again by the same detector.';
COMMENT ON COLUMN decisions.final IS 'The final score, higher = more grounded; null unless score_status is scored.';
COMMENT ON COLUMN decisions.scores IS 'Every score by name; null where there was nothing to measure.';
COMMENT ON COLUMN decisions.created_at IS 'When the answer was served, as the event said.';
COMMENT ON COLUMN decisions.payload IS 'The message in the decisions topic, byte by byte (hence json, not jsonb).';
COMMENT ON COLUMN decisions.audit IS 'Chosen by chance to be labelled, whatever was decided.';
COMMENT ON COLUMN decisions.dimensions IS 'What monitor.dimensions names of the event''s attributes.';
COMMENT ON COLUMN decisions.degraded IS 'Judged without all models, because of overload; null before this was kept here, as are the latencies.';
COMMENT ON COLUMN decisions.latency_ms IS 'From taking the event in hand to its decision.';
COMMENT ON COLUMN decisions.llm_latency_ms IS 'The LLM''s own response time, as the event said.';
COMMENT ON COLUMN decisions.enforced IS 'False for a decision in shadow, beside one that binds.';
COMMENT ON COLUMN decisions.traits IS 'What the texts were like, as in the message.';

CREATE TABLE response_texts (
    response_id text COLLATE "C" PRIMARY KEY,
    question text,
    response text NOT NULL,
    contexts json NOT NULL,
    stored_at timestamptz NOT NULL DEFAULT now(),
    subject_sha256 text COLLATE "C"
);
CREATE INDEX response_texts_stored_at ON response_texts (stored_at);
CREATE INDEX response_texts_subject ON response_texts (subject_sha256) WHERE subject_sha256 IS NOT NULL;
COMMENT ON TABLE response_texts IS 'PRIVATE: the texts behind the decisions. NUL characters, which Postgres cannot hold, are U+FFFD here, so offsets stay true.';
COMMENT ON COLUMN response_texts.contexts IS 'The retrieved passages in rank order, an array of strings.';
COMMENT ON COLUMN response_texts.stored_at IS 'Retention counts from here.';
COMMENT ON COLUMN response_texts.subject_sha256 IS 'SHA-256 of the person whom the answer was for, as the event said.';

CREATE TABLE labels (
    label_id uuid PRIMARY KEY,
    response_id text COLLATE "C" NOT NULL,
    label smallint CHECK (label IN (0, 1)),
    source text NOT NULL,
    annotator text,
    labelled_at timestamptz NOT NULL,
    stored_at timestamptz NOT NULL DEFAULT now(),
    precedence smallint NOT NULL DEFAULT 0
);
CREATE INDEX labels_counting ON labels (response_id, precedence DESC, labelled_at DESC, label_id DESC);
CREATE INDEX labels_labelled_at ON labels (labelled_at);
CREATE INDEX labels_stored_at ON labels (stored_at);
COMMENT ON TABLE labels IS 'Every label given, corrected ones too; the greatest (precedence, labelled_at, label_id) of a response counts.';
COMMENT ON COLUMN labels.label_id IS 'UUIDv5 of the label''s content: a redelivered label is the same label.';
COMMENT ON COLUMN labels.label IS '1 = grounded, 0 = hallucinated, null = unsure.';
COMMENT ON COLUMN labels.stored_at IS 'Retention counts from here.';
COMMENT ON COLUMN labels.precedence IS 'How much its source weighs, by labels.precedence when it was read.';

CREATE TABLE pairs (
    decision_id uuid PRIMARY KEY,
    seq bigint GENERATED ALWAYS AS IDENTITY,
    response_id text COLLATE "C" NOT NULL,
    dataset text COLLATE "C" NOT NULL,
    model text COLLATE "C" NOT NULL,
    label smallint CHECK (label IN (0, 1)),
    label_id uuid NOT NULL,
    labelled_at timestamptz NOT NULL,
    decision text NOT NULL,
    score_status text NOT NULL,
    scores json NOT NULL,
    fingerprint text NOT NULL,
    audit boolean NOT NULL DEFAULT false,
    source text NOT NULL DEFAULT 'human',
    precedence smallint NOT NULL DEFAULT 0,
    enforced boolean NOT NULL DEFAULT true
);
CREATE INDEX pairs_response_id ON pairs (response_id);
CREATE INDEX pairs_window ON pairs (dataset, model, seq DESC) WHERE enforced;
CREATE INDEX pairs_labelled_at ON pairs (dataset, model, labelled_at);
COMMENT ON TABLE pairs IS 'Decisions joined with the label that counts: what the rolling windows are rebuilt from.';
COMMENT ON COLUMN pairs.seq IS 'Order of first pairing, with holes; a corrected label keeps it.';
COMMENT ON COLUMN pairs.audit IS 'As in its decision.';
COMMENT ON COLUMN pairs.enforced IS 'As in its decision; windows and figures are of those that bind.';
COMMENT ON COLUMN pairs.label IS 'Of the label that counts; null where that is unsure.';

CREATE TABLE ledger (
    topic text COLLATE "C" NOT NULL,
    partition integer NOT NULL,
    first_offset bigint NOT NULL,
    next_offset bigint NOT NULL,
    scored bigint NOT NULL DEFAULT 0,
    not_measurable bigint NOT NULL DEFAULT 0,
    labelled bigint NOT NULL DEFAULT 0,
    dead_lettered bigint NOT NULL DEFAULT 0,
    skipped bigint NOT NULL DEFAULT 0,
    gaps bigint NOT NULL DEFAULT 0,
    redelivered bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (topic, partition),
    CONSTRAINT ledger_balances CHECK (
        next_offset - first_offset = scored + not_measurable + labelled + dead_lettered + skipped + gaps
    )
);
COMMENT ON TABLE ledger IS 'The account of each partition: every offset from first_offset below next_offset has exactly one outcome.';
COMMENT ON COLUMN ledger.gaps IS 'Offsets that the broker never delivered.';
COMMENT ON COLUMN ledger.redelivered IS 'Messages below next_offset that came again; in no other count.';

CREATE TABLE auroc_snapshots (
    snapshot_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    dataset text COLLATE "C" NOT NULL,
    model text COLLATE "C" NOT NULL,
    taken_at timestamptz NOT NULL,
    payload json NOT NULL,
    auroc double precision,
    low double precision,
    high double precision,
    grounded integer,
    hallucinated integer,
    reason text
);
CREATE INDEX auroc_snapshots_latest ON auroc_snapshots (dataset, model, snapshot_id DESC);
CREATE INDEX auroc_snapshots_taken_at ON auroc_snapshots (taken_at);
COMMENT ON TABLE auroc_snapshots IS 'History of the rolling windows, a row a snapshot.';
COMMENT ON COLUMN auroc_snapshots.snapshot_id IS 'Order of saving: the latest has the greatest, whatever the clocks say.';
COMMENT ON COLUMN auroc_snapshots.payload IS 'The message in the auroc topic.';
COMMENT ON COLUMN auroc_snapshots.auroc IS 'What follows is the final score''s, as in the payload, for reading many at once.';

CREATE TABLE dead_letters (
    topic text COLLATE "C" NOT NULL,
    partition integer NOT NULL,
    "offset" bigint NOT NULL,
    kind text NOT NULL,
    field text NOT NULL,
    reason text NOT NULL,
    failed_at timestamptz NOT NULL,
    replayed_at timestamptz,
    replay_of text,
    attempt integer NOT NULL DEFAULT 0,
    PRIMARY KEY (topic, partition, "offset")
);
CREATE INDEX dead_letters_newest ON dead_letters (failed_at DESC, topic, partition, "offset" DESC);
COMMENT ON TABLE dead_letters IS 'Messages that could not be processed, and why.';
COMMENT ON COLUMN dead_letters.field IS 'The offending field, empty for the message as a whole.';
COMMENT ON COLUMN dead_letters.replayed_at IS 'When the message was last sent again.';
COMMENT ON COLUMN dead_letters.replay_of IS 'Where the dead letter stood that this message was a replay of; null for one that was sent the first time.';
COMMENT ON COLUMN dead_letters.attempt IS 'How often the message had been replayed when it failed.';

CREATE TABLE dead_letter_originals (
    topic text COLLATE "C" NOT NULL,
    partition integer NOT NULL,
    "offset" bigint NOT NULL,
    key bytea,
    value bytea,
    headers json NOT NULL,
    response_id text COLLATE "C",
    subject_sha256 text COLLATE "C",
    stored_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (topic, partition, "offset")
);
CREATE INDEX dead_letter_originals_response_id ON dead_letter_originals (response_id);
CREATE INDEX dead_letter_originals_subject ON dead_letter_originals (subject_sha256);
CREATE INDEX dead_letter_originals_stored_at ON dead_letter_originals (stored_at);
COMMENT ON TABLE dead_letter_originals IS 'PRIVATE: the dead letters'' messages as they were.';
COMMENT ON COLUMN dead_letter_originals.value IS 'Null for a tombstone.';
COMMENT ON COLUMN dead_letter_originals.headers IS 'An array of [name, value in base64].';
COMMENT ON COLUMN dead_letter_originals.response_id IS 'The response that the message speaks of; null where it does not tell.';
COMMENT ON COLUMN dead_letter_originals.subject_sha256 IS 'SHA-256 of the person whom it concerns; null where it does not tell.';
COMMENT ON COLUMN dead_letter_originals.stored_at IS 'Retention counts from here.';

CREATE TABLE replays (
    topic text COLLATE "C" NOT NULL,
    partition integer NOT NULL,
    "offset" bigint NOT NULL,
    sent_partition integer NOT NULL,
    sent_offset bigint NOT NULL,
    response_id text COLLATE "C",
    replayed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (topic, partition, "offset", sent_partition, sent_offset)
);
COMMENT ON TABLE replays IS 'Each time that a dead letter''s message was sent again, and where it stands since.';
COMMENT ON COLUMN replays.response_id IS 'The response that was sent; null for a label and where the message does not tell.';

CREATE TABLE erasures (
    erasure_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text COLLATE "C" NOT NULL CHECK (kind IN ('response', 'subject')),
    name text COLLATE "C" NOT NULL,
    erased_at timestamptz NOT NULL DEFAULT now(),
    requested_by text,
    reason text,
    texts bigint NOT NULL,
    originals bigint NOT NULL
);
CREATE INDEX erasures_name ON erasures (kind, name);
COMMENT ON TABLE erasures IS 'What was erased on request. Texts under a name that stands here are never stored again.';
COMMENT ON COLUMN erasures.name IS 'A response id, or the SHA-256 of a subject.';
COMMENT ON COLUMN erasures.texts IS 'Rows of response_texts that were erased.';
COMMENT ON COLUMN erasures.originals IS 'Rows of dead_letter_originals that were erased.';

CREATE TABLE promotions (
    promotion_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    fingerprint text NOT NULL,
    replaced text NOT NULL,
    promoted_at timestamptz NOT NULL DEFAULT now(),
    promoted_by text,
    evidence json NOT NULL
);
COMMENT ON TABLE promotions IS 'Which detector became the champion, in place of which, and why. The newest is in force.';
COMMENT ON COLUMN promotions.evidence IS 'The gate''s report on the two, as `groundwatch gate --json` prints it.';

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
