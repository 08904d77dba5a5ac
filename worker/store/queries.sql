-- name: lock_migrations
SELECT pg_advisory_lock($1);

-- name: has_migrations
SELECT to_regclass('groundwatch.migrations') IS NOT NULL;

-- name: applied_migrations
SELECT name FROM migrations;

-- name: note_migration
INSERT INTO migrations (name) VALUES ($1);

-- name: hold_accounts
-- Opens the accounts that are new and locks all of them, in order: a batch of the same partitions waits here.
INSERT INTO ledger (topic, partition, first_offset, next_offset)
SELECT topic, partition, first_offset, first_offset
FROM unnest($1::text[], $2::integer[], $3::bigint[]) AS batch (topic, partition, first_offset)
ORDER BY topic COLLATE "C", partition
ON CONFLICT (topic, partition) DO UPDATE SET next_offset = ledger.next_offset
RETURNING
    ledger.topic, ledger.partition, ledger.first_offset, next_offset, scored, not_measurable, labelled, dead_lettered, skipped, gaps,
    redelivered;

-- name: keep_account
UPDATE ledger
SET first_offset = $3, next_offset = $4, scored = $5, not_measurable = $6, labelled = $7, dead_lettered = $8, skipped = $9,
    gaps = $10, redelivered = $11
WHERE topic = $1 AND partition = $2;

-- name: ledger
SELECT
    topic, partition, first_offset, next_offset, scored, not_measurable, labelled, dead_lettered, skipped, gaps, redelivered
FROM ledger
ORDER BY topic, partition;

-- name: insert_decisions
INSERT INTO decisions (
    decision_id, response_id, dataset, model, decision, score_status, final, scores, fingerprint, failure_type, created_at, decided_at,
    payload
)
SELECT
    decision_id, response_id, dataset, model, decision, score_status, final, scores::json, fingerprint, failure_type, created_at,
    decided_at, payload::json
FROM unnest(
    $1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::double precision[], $8::text[], $9::text[], $10::text[],
    $11::timestamptz[], $12::timestamptz[], $13::text[]
) AS batch (
    decision_id, response_id, dataset, model, decision, score_status, final, scores, fingerprint, failure_type, created_at, decided_at,
    payload
)
ON CONFLICT (decision_id) DO NOTHING
RETURNING decision_id, payload;

-- name: insert_texts
INSERT INTO response_texts (response_id, question, response, contexts)
SELECT response_id, question, response, contexts::json
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS batch (response_id, question, response, contexts)
ON CONFLICT (response_id) DO NOTHING;

-- name: insert_labels
INSERT INTO labels (label_id, response_id, label, source, annotator, labelled_at)
SELECT * FROM unnest($1::uuid[], $2::text[], $3::smallint[], $4::text[], $5::text[], $6::timestamptz[])
ON CONFLICT (label_id) DO NOTHING;

-- name: insert_dead_letters
WITH batch AS MATERIALIZED (
    SELECT * FROM unnest(
        $1::text[], $2::integer[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::timestamptz[], $8::bytea[], $9::bytea[], $10::text[]
    ) AS batch (topic, partition, "offset", kind, field, reason, failed_at, key, value, headers)
),
original AS (
    INSERT INTO dead_letter_originals (topic, partition, "offset", key, value, headers)
    SELECT topic, partition, "offset", key, value, headers::json FROM batch
    ON CONFLICT DO NOTHING
)
INSERT INTO dead_letters (topic, partition, "offset", kind, field, reason, failed_at)
SELECT topic, partition, "offset", kind, field, reason, failed_at FROM batch
ON CONFLICT DO NOTHING;

-- name: payloads
SELECT decision_id, payload FROM decisions WHERE decision_id = ANY ($1::uuid[]);

-- name: pair
-- Looks each response up in the indexes; joins of whole tables are what is planned while there are no statistics yet.
INSERT INTO pairs (decision_id, response_id, dataset, model, label, label_id, labelled_at, decision, score_status, scores, fingerprint)
SELECT
    decision_id, response_id, dataset, model, label, label_id, labelled_at, decision, score_status, scores, fingerprint
FROM (SELECT DISTINCT unnest($1::text[]) COLLATE "C" AS response_id) AS wanted
CROSS JOIN LATERAL (
    SELECT label, label_id, labelled_at FROM labels
    WHERE labels.response_id = wanted.response_id
    ORDER BY labelled_at DESC, label_id DESC LIMIT 1
) AS latest
JOIN decisions USING (response_id)
ORDER BY decision_id
ON CONFLICT (decision_id) DO UPDATE
SET label = excluded.label, label_id = excluded.label_id, labelled_at = excluded.labelled_at
WHERE (excluded.labelled_at, excluded.label_id) > (pairs.labelled_at, pairs.label_id);

-- name: pairs_of
SELECT * FROM pairs WHERE response_id = ANY ($1::text[]) ORDER BY seq;

-- name: segments
-- Jumps from one segment to the next in the index; a DISTINCT would read every pair.
WITH RECURSIVE segment AS (
    (SELECT dataset, model FROM pairs ORDER BY dataset, model LIMIT 1)
    UNION ALL
    SELECT following.dataset, following.model
    FROM segment, LATERAL (
        SELECT dataset, model FROM pairs
        WHERE (pairs.dataset, pairs.model) > (segment.dataset, segment.model)
        ORDER BY dataset, model LIMIT 1
    ) AS following
)
SELECT dataset, model FROM segment;

-- name: window
SELECT * FROM pairs WHERE dataset = $1 AND model = $2 ORDER BY seq DESC LIMIT $3;

-- name: insert_snapshots
INSERT INTO auroc_snapshots (dataset, model, taken_at, payload)
SELECT dataset, model, taken_at, payload::json
FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[]) AS batch (dataset, model, taken_at, payload);

-- name: latest_snapshots
-- Jumps from one segment's newest snapshot to the next one's, as in segments.
WITH RECURSIVE latest AS (
    (
        SELECT dataset, model, payload FROM auroc_snapshots
        ORDER BY dataset, model, taken_at DESC, snapshot_id DESC LIMIT 1
    )
    UNION ALL
    SELECT following.dataset, following.model, following.payload
    FROM latest, LATERAL (
        SELECT dataset, model, payload FROM auroc_snapshots
        WHERE (auroc_snapshots.dataset, auroc_snapshots.model) > (latest.dataset, latest.model)
        ORDER BY dataset, model, taken_at DESC, snapshot_id DESC LIMIT 1
    ) AS following
)
SELECT payload FROM latest;

-- name: decision_counts
SELECT dataset, model, decision, count(*) FROM decisions GROUP BY dataset, model, decision;

-- name: dead_letters
SELECT * FROM dead_letters JOIN dead_letter_originals USING (topic, partition, "offset")
WHERE $1::text IS NULL OR kind = $1
ORDER BY failed_at DESC, topic, partition, "offset" DESC
LIMIT $2;

-- name: dead_letter
SELECT * FROM dead_letters JOIN dead_letter_originals USING (topic, partition, "offset")
WHERE topic = $1 AND partition = $2 AND "offset" = $3;

-- name: mark_replayed
UPDATE dead_letters SET replayed_at = now() WHERE topic = $1 AND partition = $2 AND "offset" = $3 RETURNING topic;

-- name: role
-- The role of that name, or of this connection.
SELECT
    rolname AS name,
    rolsuper AS superuser,
    EXISTS (
        SELECT FROM pg_class WHERE relnamespace = 'groundwatch'::regnamespace AND pg_has_role(pg_roles.oid, relowner, 'USAGE')
    ) OR has_schema_privilege(pg_roles.oid, 'groundwatch', 'CREATE') AS owner
FROM pg_roles
WHERE rolname = coalesce($1::text, current_user::text);

-- name: held_privileges
-- What this connection's role may do with each table, as a whole or with some of its columns.
SELECT relname::text AS table_name, privilege, has_table_privilege(pg_class.oid, privilege) AS whole
FROM pg_class
CROSS JOIN unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'REFERENCES', 'DELETE', 'TRUNCATE', 'TRIGGER']) AS privilege
WHERE
    relnamespace = 'groundwatch'::regnamespace AND relkind IN ('r', 'p')
    AND CASE
        WHEN privilege IN ('SELECT', 'INSERT', 'UPDATE', 'REFERENCES') THEN has_any_column_privilege(pg_class.oid, privilege)
        ELSE has_table_privilege(pg_class.oid, privilege)
    END;

-- name: grants
-- The statements, in order, that leave a role with these privileges and no others. The server quotes the names.
SELECT statement
FROM (
    VALUES
        (0, format('REVOKE ALL ON ALL TABLES IN SCHEMA groundwatch FROM %I', $1::text)),
        (1, format('REVOKE ALL ON SCHEMA groundwatch FROM %I', $1::text)),
        (2, format('GRANT USAGE ON SCHEMA groundwatch TO %I', $1::text))
    UNION ALL
    SELECT 3, format('GRANT %s ON groundwatch.%I TO %I', privilege, table_name, $1::text)
    FROM unnest($2::text[], $3::text[]) AS wanted (table_name, privilege)
) AS steps (step, statement)
ORDER BY step;
