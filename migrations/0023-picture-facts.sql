-- Services of version 9 and newer go on.

-- Measured facts of pictures as JSON, keyed by the SHA-256 of the file and the version of the measure; null: it could not be measured.
CREATE TABLE picture_facts (
  workspace TEXT NOT NULL,
  hash TEXT NOT NULL,
  version INTEGER NOT NULL,
  facts TEXT,
  PRIMARY KEY (workspace, hash, version)
);

-- The version of the facts with which a draft or a revision is shown; null: without any, as it was before.
ALTER TABLE project ADD COLUMN draft_facts INTEGER;
ALTER TABLE revision ADD COLUMN facts INTEGER;
