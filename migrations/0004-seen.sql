-- What imports read of files that have not changed since: no fact stands here alone, and all of it may be removed.
CREATE TABLE seen (
  workspace TEXT NOT NULL,
  -- Relative to the brand folder.
  path TEXT NOT NULL,
  -- What tells whether the file was changed, and which version of the readers read it.
  stamp TEXT NOT NULL,
  kind TEXT NOT NULL,
  -- What the file's content is kept under.
  content TEXT NOT NULL,
  -- JSON
  reading TEXT NOT NULL,
  PRIMARY KEY (workspace, path)
);
