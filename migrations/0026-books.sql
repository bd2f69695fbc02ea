-- Services of version 9 and newer go on.

-- The printed books of published snapshots, which services make, and why one could not be made. Not in backups. The latest
-- row of an edition counts.
CREATE TABLE book (
  workspace TEXT NOT NULL,
  project TEXT NOT NULL,
  snapshot TEXT NOT NULL,
  -- The public URL, the version of the program and, if pages differ from one day to the next, the day in UTC.
  edition TEXT NOT NULL,
  made_at INTEGER NOT NULL,
  -- The SHA-256 of the PDF among the files of the workspace; null: it could not be made.
  hash TEXT,
  size INTEGER NOT NULL,
  problem TEXT,
  PRIMARY KEY (workspace, project, snapshot, edition, made_at)
);
