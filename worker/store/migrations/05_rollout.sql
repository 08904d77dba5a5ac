ALTER TABLE decisions ADD COLUMN enforced boolean NOT NULL DEFAULT true;
COMMENT ON COLUMN decisions.enforced IS 'False for a decision in shadow, beside one that binds.';
ALTER TABLE decisions ADD COLUMN traits json;
COMMENT ON COLUMN decisions.traits IS 'What the texts were like, as in the message.';

ALTER TABLE pairs ADD COLUMN enforced boolean NOT NULL DEFAULT true;
COMMENT ON COLUMN pairs.enforced IS 'As in its decision; windows and figures are of those that bind.';
DROP INDEX pairs_window;
CREATE INDEX pairs_window ON pairs (dataset, model, seq DESC) WHERE enforced;
CREATE INDEX pairs_labelled_at ON pairs (dataset, model, labelled_at);

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
