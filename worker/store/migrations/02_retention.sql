ALTER TABLE response_texts ADD COLUMN subject_sha256 text COLLATE "C";
CREATE INDEX response_texts_stored_at ON response_texts (stored_at);
CREATE INDEX response_texts_subject ON response_texts (subject_sha256) WHERE subject_sha256 IS NOT NULL;
COMMENT ON COLUMN response_texts.subject_sha256 IS 'SHA-256 of the person whom the answer was for, as the event said.';

CREATE INDEX decisions_age ON decisions (decided_at, decision_id);

ALTER TABLE labels ADD COLUMN stored_at timestamptz NOT NULL DEFAULT now();
CREATE INDEX labels_stored_at ON labels (stored_at);
COMMENT ON COLUMN labels.stored_at IS 'Retention counts from here.';

DROP INDEX auroc_snapshots_latest;
CREATE INDEX auroc_snapshots_latest ON auroc_snapshots (dataset, model, snapshot_id DESC);
COMMENT ON COLUMN auroc_snapshots.snapshot_id IS 'Order of saving: the latest has the greatest, whatever the clocks say.';
CREATE INDEX auroc_snapshots_taken_at ON auroc_snapshots (taken_at);

ALTER TABLE dead_letters ADD COLUMN replay_of text;
ALTER TABLE dead_letters ADD COLUMN attempt integer NOT NULL DEFAULT 0;
COMMENT ON COLUMN dead_letters.replay_of IS 'Where the dead letter stood that this message was a replay of; null for one that was sent the first time.';
COMMENT ON COLUMN dead_letters.attempt IS 'How often the message had been replayed when it failed.';

ALTER TABLE dead_letter_originals ADD COLUMN response_id text COLLATE "C";
ALTER TABLE dead_letter_originals ADD COLUMN subject_sha256 text COLLATE "C";
ALTER TABLE dead_letter_originals ADD COLUMN stored_at timestamptz NOT NULL DEFAULT now();
CREATE INDEX dead_letter_originals_response_id ON dead_letter_originals (response_id);
CREATE INDEX dead_letter_originals_subject ON dead_letter_originals (subject_sha256);
CREATE INDEX dead_letter_originals_stored_at ON dead_letter_originals (stored_at);
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
