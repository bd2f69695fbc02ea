-- A retracted revision stays in the history but is not served. A freed one has lost its content.
ALTER TABLE revision ADD COLUMN retracted_at INTEGER;
ALTER TABLE revision ADD COLUMN freed_at INTEGER;

-- The last revision of a deleted project: a later project of the same id continues from there.
CREATE TABLE deleted_project (
  workspace TEXT NOT NULL,
  id TEXT NOT NULL,
  last_revision INTEGER NOT NULL,
  PRIMARY KEY (workspace, id)
);

-- Copies under way. The process that copies holds a lock with the id while it runs.
CREATE TABLE copy (
  id TEXT PRIMARY KEY,
  source_workspace TEXT NOT NULL,
  source_project TEXT NOT NULL,
  target_workspace TEXT NOT NULL,
  target_project TEXT NOT NULL
);
