-- name: lock_migrations
SELECT pg_advisory_lock($1);

-- name: has_migrations
SELECT to_regclass('groundwatch.migrations') IS NOT NULL;

-- name: applied_migrations
SELECT name FROM migrations;

-- name: note_migration
INSERT INTO migrations (name) VALUES ($1);

