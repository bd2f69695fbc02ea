-- A cache of what imports have read of files, so that the next import skips those that have not changed. Rows may be
-- deleted at any time.
CREATE TABLE seen (
  workspace TEXT NOT NULL,
  -- Relative to the brand folder.
  path TEXT NOT NULL,
  -- The fingerprint: size and times of the file, and which version of the readers has read it.
  stamp TEXT NOT NULL,
  kind TEXT NOT NULL,
  -- The hash of the file's content.
  content TEXT NOT NULL,
  -- What was read, as JSON.
  reading TEXT NOT NULL,
  PRIMARY KEY (workspace, path)
);
