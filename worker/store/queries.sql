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
    payload, audit, dimensions, degraded, latency_ms, llm_latency_ms, enforced, traits
)
SELECT
    decision_id, response_id, dataset, model, decision, score_status, final, scores::json, fingerprint, failure_type, created_at,
    decided_at, payload::json, audit, dimensions::jsonb, degraded, latency_ms, llm_latency_ms, enforced, traits::json
FROM unnest(
    $1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::double precision[], $8::text[], $9::text[], $10::text[],
    $11::timestamptz[], $12::timestamptz[], $13::text[], $14::boolean[], $15::text[], $16::boolean[], $17::double precision[],
    $18::double precision[], $19::boolean[], $20::text[]
) AS batch (
    decision_id, response_id, dataset, model, decision, score_status, final, scores, fingerprint, failure_type, created_at, decided_at,
    payload, audit, dimensions, degraded, latency_ms, llm_latency_ms, enforced, traits
)
ON CONFLICT (decision_id) DO NOTHING
RETURNING decision_id, payload;

-- name: insert_texts
INSERT INTO response_texts (response_id, question, response, contexts, subject_sha256)
SELECT response_id, question, response, contexts::json, subject_sha256
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) AS batch (response_id, question, response, contexts, subject_sha256)
WHERE NOT EXISTS (SELECT FROM erasures WHERE kind = 'response' AND name = batch.response_id)
    AND NOT EXISTS (SELECT FROM erasures WHERE kind = 'subject' AND name = batch.subject_sha256)
ON CONFLICT (response_id) DO NOTHING;

-- name: insert_labels
INSERT INTO labels (label_id, response_id, label, source, annotator, labelled_at, precedence)
SELECT * FROM unnest($1::uuid[], $2::text[], $3::smallint[], $4::text[], $5::text[], $6::timestamptz[], $7::smallint[])
ON CONFLICT (label_id) DO NOTHING;

-- name: insert_dead_letters
-- An original comes with its letter or not at all: one that has expired or was erased does not come back when its message does.
-- One that is there without its letter belongs to a topic that has been made anew.
WITH batch AS MATERIALIZED (
    SELECT * FROM unnest(
        $1::text[], $2::integer[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::timestamptz[], $8::text[], $9::integer[],
        $10::bytea[], $11::bytea[], $12::text[], $13::text[], $14::text[], $15::text[]
    ) AS batch (
        topic, partition, "offset", kind, field, reason, failed_at, replay_of, attempt, key, value, headers, response_id, subject_sha256, name
    )
),
letter AS (
    INSERT INTO dead_letters (topic, partition, "offset", kind, field, reason, failed_at, replay_of, attempt)
    SELECT topic, partition, "offset", kind, field, reason, failed_at, replay_of, attempt FROM batch
    ON CONFLICT (topic, partition, "offset") DO NOTHING
    RETURNING topic, partition, "offset"
),
original AS MATERIALIZED (
    SELECT DISTINCT ON (topic, partition, "offset") topic, partition, "offset", key, value, headers::json, response_id, subject_sha256
    FROM batch JOIN letter USING (topic, partition, "offset")
    WHERE NOT EXISTS (SELECT FROM erasures WHERE erasures.kind = 'response' AND erasures.name = batch.name)
        AND NOT EXISTS (SELECT FROM erasures WHERE erasures.kind = 'subject' AND erasures.name = batch.subject_sha256)
),
renewed AS (
    -- In place of ON CONFLICT DO UPDATE, for which a writer would have to be allowed to read what it replaces.
    UPDATE dead_letter_originals AS theirs
    SET key = original.key, value = original.value, headers = original.headers, response_id = original.response_id,
        subject_sha256 = original.subject_sha256, stored_at = now()
    FROM original
    WHERE (theirs.topic, theirs.partition, theirs."offset") = (original.topic, original.partition, original."offset")
)
INSERT INTO dead_letter_originals (topic, partition, "offset", key, value, headers, response_id, subject_sha256)
SELECT topic, partition, "offset", key, value, headers, response_id, subject_sha256 FROM original
ON CONFLICT (topic, partition, "offset") DO NOTHING;

-- name: payloads
SELECT decision_id, payload FROM decisions WHERE decision_id = ANY ($1::uuid[]);

-- name: pair
-- Looks each response up in the indexes; joins of whole tables are what is planned while there are no statistics yet.
-- The locks keep a decision from expiring before its pair is there to hold it.
INSERT INTO pairs (
    decision_id, response_id, dataset, model, label, label_id, labelled_at, source, precedence, decision, score_status, scores, fingerprint,
    audit, enforced
)
SELECT
    decision_id, response_id, dataset, model, label, label_id, labelled_at, source, precedence, decision, score_status, scores, fingerprint,
    audit, enforced
FROM (SELECT DISTINCT unnest($1::text[]) COLLATE "C" AS response_id) AS wanted
CROSS JOIN LATERAL (
    SELECT label, label_id, labelled_at, source, precedence FROM labels
    WHERE labels.response_id = wanted.response_id
    ORDER BY precedence DESC, labelled_at DESC, label_id DESC LIMIT 1
) AS counting
JOIN decisions USING (response_id)
ORDER BY decision_id
FOR KEY SHARE OF decisions
ON CONFLICT (decision_id) DO UPDATE
SET label = excluded.label, label_id = excluded.label_id, labelled_at = excluded.labelled_at, source = excluded.source,
    precedence = excluded.precedence
WHERE (excluded.precedence, excluded.labelled_at, excluded.label_id) > (pairs.precedence, pairs.labelled_at, pairs.label_id);

-- name: labels_of
SELECT response_id, label, source, annotator, labelled_at, precedence FROM labels
WHERE response_id = $1
ORDER BY precedence DESC, labelled_at DESC, label_id DESC;

-- name: ratings
SELECT DISTINCT ON (response_id, source, annotator) response_id, label, source, annotator, labelled_at, precedence FROM labels
WHERE ($1::timestamptz IS NULL OR response_id IN (SELECT response_id FROM labels WHERE labelled_at >= $1))
    AND ($2::text IS NULL OR response_id IN (SELECT response_id FROM pairs WHERE dataset = $2 AND model = $3))
ORDER BY response_id, source, annotator, labelled_at DESC, label_id DESC;

-- name: pairs_of
SELECT * FROM pairs WHERE response_id = ANY ($1::text[]) ORDER BY seq;

-- name: segments
-- Jumps from one segment to the next in the index; a DISTINCT would read every pair.
WITH RECURSIVE segment AS (
    (SELECT dataset, model FROM pairs WHERE enforced ORDER BY dataset, model LIMIT 1)
    UNION ALL
    SELECT following.dataset, following.model
    FROM segment, LATERAL (
        SELECT dataset, model FROM pairs
        WHERE enforced AND (pairs.dataset, pairs.model) > (segment.dataset, segment.model)
        ORDER BY dataset, model LIMIT 1
    ) AS following
)
SELECT dataset, model FROM segment;

-- name: insert_promotion
INSERT INTO promotions (fingerprint, replaced, promoted_at, promoted_by, evidence) VALUES ($1, $2, $3, $4, $5::text::json);

-- name: promotions
SELECT fingerprint, replaced, promoted_at, promoted_by, evidence FROM promotions ORDER BY promotion_id DESC LIMIT $1;

-- name: window
SELECT * FROM pairs WHERE dataset = $1 AND model = $2 AND enforced ORDER BY seq DESC LIMIT $3;

-- name: pairs_by_served
SELECT pairs.* FROM pairs JOIN decisions USING (decision_id)
WHERE ($1::text IS NULL OR decisions.dataset = $1) AND ($2::text IS NULL OR decisions.model = $2)
    AND CASE WHEN $3::text IS NULL THEN pairs.enforced ELSE pairs.fingerprint = $3 END
    AND ($4::timestamptz IS NULL OR coalesce(created_at, decided_at) >= $4) AND ($5::timestamptz IS NULL OR coalesce(created_at, decided_at) < $5)
    AND ($6::text IS NULL OR decisions.dimensions ->> $6 = $7)
    AND label IS NOT NULL
ORDER BY seq;

-- name: judged_by_served
SELECT pairs.decision, final, label, pairs.audit FROM pairs JOIN decisions USING (decision_id)
WHERE ($1::text IS NULL OR decisions.dataset = $1) AND ($2::text IS NULL OR decisions.model = $2)
    AND CASE WHEN $3::text IS NULL THEN pairs.enforced ELSE pairs.fingerprint = $3 END
    AND ($4::timestamptz IS NULL OR coalesce(created_at, decided_at) >= $4) AND ($5::timestamptz IS NULL OR coalesce(created_at, decided_at) < $5)
    AND ($6::text IS NULL OR decisions.dimensions ->> $6 = $7)
    AND label IS NOT NULL;

-- name: pairs_by_labelled
SELECT pairs.* FROM pairs JOIN decisions USING (decision_id)
WHERE ($1::text IS NULL OR pairs.dataset = $1) AND ($2::text IS NULL OR pairs.model = $2)
    AND CASE WHEN $3::text IS NULL THEN pairs.enforced ELSE pairs.fingerprint = $3 END
    AND ($4::timestamptz IS NULL OR labelled_at >= $4) AND ($5::timestamptz IS NULL OR labelled_at < $5)
    AND ($6::text IS NULL OR decisions.dimensions ->> $6 = $7)
    AND label IS NOT NULL
ORDER BY seq;

-- name: judged_by_labelled
SELECT pairs.decision, final, label, pairs.audit FROM pairs JOIN decisions USING (decision_id)
WHERE ($1::text IS NULL OR pairs.dataset = $1) AND ($2::text IS NULL OR pairs.model = $2)
    AND CASE WHEN $3::text IS NULL THEN pairs.enforced ELSE pairs.fingerprint = $3 END
    AND ($4::timestamptz IS NULL OR labelled_at >= $4) AND ($5::timestamptz IS NULL OR labelled_at < $5)
    AND ($6::text IS NULL OR decisions.dimensions ->> $6 = $7)
    AND label IS NOT NULL;

-- name: served
-- What `->` takes out of json is not decoded: escapes that text cannot hold do no harm.
SELECT
    decision_id, coalesce(created_at, decided_at) AS at,
    json_build_array(
        payload -> 'degraded', payload -> 'question_sha256', payload -> 'response_sha256', payload -> 'contexts_sha256'
    ) AS said
FROM decisions WHERE decision_id = ANY ($1::uuid[]);

-- name: decided
-- Ids are hashes, so the first ones are a sample by chance.
SELECT response_id, decision, scores, traits FROM decisions
WHERE ($1::text IS NULL OR dataset = $1) AND ($2::text IS NULL OR model = $2) AND CASE WHEN $3::text IS NULL THEN enforced ELSE fingerprint = $3 END
    AND ($4::timestamptz IS NULL OR coalesce(created_at, decided_at) >= $4)
    AND ($5::timestamptz IS NULL OR coalesce(created_at, decided_at) < $5)
    AND ($6::text IS NULL OR dimensions ->> $6 = $7)
ORDER BY decision_id LIMIT $8;

-- name: dimension_values
SELECT DISTINCT (dimensions ->> $8) COLLATE "C" AS value FROM decisions
WHERE ($1::text IS NULL OR dataset = $1) AND ($2::text IS NULL OR model = $2) AND CASE WHEN $3::text IS NULL THEN enforced ELSE fingerprint = $3 END
    AND ($4::timestamptz IS NULL OR coalesce(created_at, decided_at) >= $4)
    AND ($5::timestamptz IS NULL OR coalesce(created_at, decided_at) < $5)
    AND ($6::text IS NULL OR dimensions ->> $6 = $7)
    AND dimensions ? $8
ORDER BY value;

-- name: scored_cells
SELECT decision, greatest(least(floor(final * $8)::integer, $8 - 1), 0) AS bin, count(*) AS decisions FROM decisions
WHERE ($1::text IS NULL OR dataset = $1) AND ($2::text IS NULL OR model = $2) AND CASE WHEN $3::text IS NULL THEN enforced ELSE fingerprint = $3 END
    AND ($4::timestamptz IS NULL OR coalesce(created_at, decided_at) >= $4)
    AND ($5::timestamptz IS NULL OR coalesce(created_at, decided_at) < $5)
    AND ($6::text IS NULL OR dimensions ->> $6 = $7)
    AND score_status = 'scored' AND final IS NOT NULL
GROUP BY 1, 2;

-- name: insert_snapshots
INSERT INTO auroc_snapshots (dataset, model, taken_at, payload, auroc, low, high, grounded, hallucinated, reason)
SELECT dataset, model, taken_at, payload::json, auroc, low, high, grounded, hallucinated, reason
FROM unnest(
    $1::text[], $2::text[], $3::timestamptz[], $4::text[], $5::double precision[], $6::double precision[], $7::double precision[],
    $8::integer[], $9::integer[], $10::text[]
) AS batch (dataset, model, taken_at, payload, auroc, low, high, grounded, hallucinated, reason);

-- name: latest_snapshots
-- Jumps from one segment's newest snapshot to the next one's, as in segments.
WITH RECURSIVE latest AS (
    (
        SELECT dataset, model, payload FROM auroc_snapshots
        ORDER BY dataset, model, snapshot_id DESC LIMIT 1
    )
    UNION ALL
    SELECT following.dataset, following.model, following.payload
    FROM latest, LATERAL (
        SELECT dataset, model, payload FROM auroc_snapshots
        WHERE (auroc_snapshots.dataset, auroc_snapshots.model) > (latest.dataset, latest.model)
        ORDER BY dataset, model, snapshot_id DESC LIMIT 1
    ) AS following
)
SELECT payload FROM latest;

-- name: decision_counts
SELECT dataset, model, decision, count(*) FROM decisions WHERE enforced GROUP BY dataset, model, decision;

-- name: dead_letters
SELECT dead_letters.*, NULL AS key, NULL AS value, NULL AS headers, octet_length(value) AS bytes, stored_at IS NOT NULL AS kept
FROM dead_letters LEFT JOIN dead_letter_originals USING (topic, partition, "offset")
WHERE kind = coalesce($1, kind) AND topic = coalesce($2, topic) AND field = coalesce($3, field)
    AND position(coalesce($4, '') IN reason) > 0
    AND (NOT $5::boolean OR (value IS NOT NULL AND replayed_at IS NULL AND (attempt = 0 OR $6::boolean)))
ORDER BY failed_at DESC, topic, partition, "offset" DESC
LIMIT $7;

-- name: dead_letter
SELECT dead_letters.*, key, value, headers, octet_length(value) AS bytes, stored_at IS NOT NULL AS kept
FROM dead_letters LEFT JOIN dead_letter_originals USING (topic, partition, "offset")
WHERE topic = $1 AND partition = $2 AND "offset" = $3;

-- name: dead_letter_counts
SELECT topic, kind, field, reason, count(*), max(failed_at) AS newest
FROM dead_letters
WHERE kind = coalesce($1, kind) AND topic = coalesce($2, topic) AND field = coalesce($3, field)
    AND position(coalesce($4, '') IN reason) > 0
GROUP BY topic, kind, field, reason
ORDER BY count(*) DESC, topic, kind, field, reason
LIMIT $5;

-- name: mark_replayed
WITH letter AS (
    UPDATE dead_letters SET replayed_at = now() WHERE topic = $1 AND partition = $2 AND "offset" = $3
    RETURNING topic, partition, "offset"
)
INSERT INTO replays (topic, partition, "offset", sent_partition, sent_offset, response_id)
SELECT topic, partition, "offset", $4, $5, $6 FROM letter
ON CONFLICT (topic, partition, "offset", sent_partition, sent_offset) DO UPDATE SET replayed_at = excluded.replayed_at
RETURNING topic;

-- name: replays
-- How each ended: by the dead letter where it stands since, else by whether its partition's account has reached it.
SELECT
    replays.topic, replays.partition, replays."offset", sent_partition, sent_offset, replays.replayed_at,
    CASE
        WHEN again.topic IS NOT NULL THEN 'dead_lettered'
        WHEN ledger.next_offset IS NULL OR ledger.next_offset <= sent_offset THEN 'waiting'
        WHEN EXISTS (SELECT FROM decisions WHERE decisions.response_id = replays.response_id) THEN 'scored'
        ELSE 'settled'
    END AS ending
FROM unnest($1::text[], $2::integer[], $3::bigint[]) AS wanted (topic, partition, "offset")
JOIN replays USING (topic, partition, "offset")
LEFT JOIN dead_letters AS again
    ON (again.topic, again.partition, again."offset") = (replays.topic, replays.sent_partition, replays.sent_offset)
LEFT JOIN ledger ON (ledger.topic, ledger.partition) = (replays.topic, replays.sent_partition)
ORDER BY replays.replayed_at, sent_partition, sent_offset;

-- name: lock_erasures
-- Batches share this lock; an erasure waits for those in hand, and those that come wait for it.
SELECT pg_advisory_xact_lock_shared($1);

-- name: lock_texts
SELECT pg_advisory_xact_lock($1);

-- name: responses_of_subject
SELECT response_id FROM response_texts WHERE subject_sha256 = $1
UNION
SELECT response_id FROM dead_letter_originals WHERE subject_sha256 = $1 AND response_id IS NOT NULL
ORDER BY response_id;

-- name: erase_texts
DELETE FROM response_texts WHERE response_id = ANY ($1::text[]) RETURNING response_id;

-- name: erase_originals
-- Of a message that does not tell whom it concerns, the key and the bytes are asked.
DELETE FROM dead_letter_originals
WHERE response_id = ANY ($1::text[]) OR subject_sha256 = $2
    OR (response_id IS NULL AND (key = ANY ($3::bytea[]) OR EXISTS (SELECT FROM unnest($4::bytea[]) AS quoted WHERE position(quoted IN value) > 0)))
RETURNING topic, partition, "offset";

-- name: note_erasure
INSERT INTO erasures (kind, name, requested_by, reason, texts, originals) VALUES ($1, $2, $3, $4, $5, $6)
RETURNING kind, name, erased_at, requested_by, reason, texts, originals;

-- name: erasures
SELECT kind, name, erased_at, requested_by, reason, texts, originals FROM erasures ORDER BY erasure_id;

-- name: try_lock_expiry
SELECT pg_try_advisory_lock($1);

-- name: unlock_expiry
SELECT pg_advisory_unlock($1);

-- name: expire_texts
WITH old AS MATERIALIZED (
    SELECT response_id FROM response_texts WHERE stored_at < now() - $1::interval ORDER BY stored_at LIMIT $2 FOR UPDATE SKIP LOCKED
)
DELETE FROM response_texts AS texts USING old WHERE texts.response_id = old.response_id
RETURNING 1;

-- name: expire_originals
WITH old AS MATERIALIZED (
    SELECT topic, partition, "offset" FROM dead_letter_originals
    WHERE stored_at < now() - $1::interval ORDER BY stored_at LIMIT $2 FOR UPDATE SKIP LOCKED
)
DELETE FROM dead_letter_originals AS theirs USING old
WHERE (theirs.topic, theirs.partition, theirs."offset") = (old.topic, old.partition, old."offset")
RETURNING 1;

-- name: expire_dead_letters
WITH old AS MATERIALIZED (
    SELECT topic, partition, "offset" FROM dead_letters
    WHERE failed_at < now() - $1::interval ORDER BY failed_at LIMIT $2 FOR UPDATE SKIP LOCKED
),
original AS (
    DELETE FROM dead_letter_originals AS theirs USING old
    WHERE (theirs.topic, theirs.partition, theirs."offset") = (old.topic, old.partition, old."offset")
),
replayed AS (
    DELETE FROM replays AS theirs USING old
    WHERE (theirs.topic, theirs.partition, theirs."offset") = (old.topic, old.partition, old."offset")
)
DELETE FROM dead_letters AS letter USING old
WHERE (letter.topic, letter.partition, letter."offset") = (old.topic, old.partition, old."offset")
RETURNING 1;

-- name: expire_labels
WITH old AS MATERIALIZED (
    SELECT label_id FROM labels WHERE stored_at < now() - $1::interval ORDER BY stored_at LIMIT $2 FOR UPDATE SKIP LOCKED
)
DELETE FROM labels USING old WHERE labels.label_id = old.label_id
RETURNING 1;

-- name: expire_snapshots
-- Each segment's newest stays.
WITH old AS MATERIALIZED (
    SELECT snapshot_id FROM auroc_snapshots AS snapshot
    WHERE taken_at < now() - $1::interval AND EXISTS (
        SELECT FROM auroc_snapshots AS newer
        WHERE (newer.dataset, newer.model) = (snapshot.dataset, snapshot.model)
            AND newer.snapshot_id > snapshot.snapshot_id
    )
    ORDER BY taken_at LIMIT $2 FOR UPDATE SKIP LOCKED
)
DELETE FROM auroc_snapshots AS snapshot USING old WHERE snapshot.snapshot_id = old.snapshot_id
RETURNING 1;

-- name: old_decisions
-- The next ones past their time, each with whether it has a pair and whether that stands in its segment's window.
WITH old AS MATERIALIZED (
    SELECT decision_id, decided_at, dataset, model FROM decisions
    WHERE decided_at < now() - $1::interval AND (decided_at, decision_id) > ($2, $3)
    ORDER BY decided_at, decision_id LIMIT $4
),
below_window AS MATERIALIZED (
    SELECT dataset, model, (
        SELECT seq FROM pairs WHERE (pairs.dataset, pairs.model) = (segment.dataset, segment.model) AND enforced ORDER BY seq DESC OFFSET $5 LIMIT 1
    ) AS newest
    FROM (SELECT DISTINCT dataset, model FROM old) AS segment
)
SELECT decision_id, decided_at, seq IS NOT NULL AS paired, coalesce(enforced AND seq > coalesce(newest, 0), false) AS in_window
FROM old JOIN below_window USING (dataset, model) LEFT JOIN pairs USING (decision_id)
ORDER BY decided_at, decision_id;

-- name: hold_decisions
SELECT decision_id FROM decisions WHERE decision_id = ANY ($1::uuid[]) FOR UPDATE SKIP LOCKED;

-- name: expire_decisions
-- Of the decisions $1 the pairs of $2 go too; one that was paired meanwhile stays.
WITH pair AS (
    DELETE FROM pairs WHERE decision_id = ANY ($2::uuid[])
)
DELETE FROM decisions
WHERE decision_id = ANY ($1::uuid[])
    AND (decision_id = ANY ($2::uuid[]) OR NOT EXISTS (SELECT FROM pairs WHERE pairs.decision_id = decisions.decision_id))
RETURNING 1;

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
