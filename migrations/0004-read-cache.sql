-- A cache of the data that imports have read from files, so that the next import skips unchanged files. Rows may be
-- deleted at any time.
CREATE TABLE seen (
  workspace TEXT NOT NULL,
  -- Relative to the brand folder.
  path TEXT NOT NULL,
  -- The fingerprint: size and times of the file, and the version of the readers that read it.
  stamp TEXT NOT NULL,
  kind TEXT NOT NULL,
  -- The hash of the file's content.
  content TEXT NOT NULL,
  -- The data as JSON.
  reading TEXT NOT NULL,
  PRIMARY KEY (workspace, path)
);
