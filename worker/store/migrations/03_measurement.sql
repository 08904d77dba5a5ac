ALTER TABLE decisions ADD COLUMN audit boolean NOT NULL DEFAULT false;
ALTER TABLE decisions ADD COLUMN dimensions jsonb NOT NULL DEFAULT '{}';
DROP INDEX decisions_segment;
CREATE INDEX decisions_served ON decisions (dataset, model, coalesce(created_at, decided_at)) INCLUDE (decision);
COMMENT ON COLUMN decisions.audit IS 'Chosen by chance to be labelled, whatever was decided.';
COMMENT ON COLUMN decisions.dimensions IS 'What monitor.dimensions names of the event''s attributes.';

ALTER TABLE pairs ADD COLUMN audit boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN pairs.audit IS 'As in its decision.';
