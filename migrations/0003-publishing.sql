-- A revision that was taken back stays in the history and is not served; one that was freed has no content any more.
ALTER TABLE revision ADD COLUMN retracted_at INTEGER;
ALTER TABLE revision ADD COLUMN freed_at INTEGER;

-- Where the numbers of a deleted project stopped: they are never given again.
CREATE TABLE deleted_project (
  workspace TEXT NOT NULL,
  id TEXT NOT NULL,
  last_revision INTEGER NOT NULL,
  PRIMARY KEY (workspace, id)
);

-- Copies under way; whoever makes one holds its lock for as long as it runs.
CREATE TABLE copy (
  id TEXT PRIMARY KEY,
  source_workspace TEXT NOT NULL,
  source_project TEXT NOT NULL,
  target_workspace TEXT NOT NULL,
  target_project TEXT NOT NULL
);
