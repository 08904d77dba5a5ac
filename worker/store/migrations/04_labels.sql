-- An unsure label has none of the two values, and a source weighs more or less than another.
ALTER TABLE labels ALTER COLUMN label DROP NOT NULL;
ALTER TABLE labels ADD COLUMN precedence smallint NOT NULL DEFAULT 0;
UPDATE labels SET precedence = 6 - place
FROM unnest(ARRAY['adjudication', 'human', 'benchmark', 'judge', 'user_feedback']) WITH ORDINALITY AS named (name, place)
WHERE source = name;
DROP INDEX labels_latest;
CREATE INDEX labels_counting ON labels (response_id, precedence DESC, labelled_at DESC, label_id DESC);
CREATE INDEX labels_labelled_at ON labels (labelled_at);
COMMENT ON TABLE labels IS 'Every label given, corrected ones too; the greatest (precedence, labelled_at, label_id) of a response counts.';
COMMENT ON COLUMN labels.label IS '1 = grounded, 0 = hallucinated, null = unsure.';
COMMENT ON COLUMN labels.precedence IS 'How much its source weighs, by labels.precedence when it was read.';

ALTER TABLE pairs ALTER COLUMN label DROP NOT NULL;
ALTER TABLE pairs ADD COLUMN source text NOT NULL DEFAULT 'human';
ALTER TABLE pairs ADD COLUMN precedence smallint NOT NULL DEFAULT 0;
UPDATE pairs SET source = labels.source, precedence = labels.precedence FROM labels WHERE labels.label_id = pairs.label_id;
COMMENT ON COLUMN pairs.label IS 'Of the label that counts; null where that is unsure.';
