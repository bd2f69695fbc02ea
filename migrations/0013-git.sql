-- Services of version 9 and newer go on.

-- The repositories that services follow, shared by all processes. Times are in milliseconds.
CREATE TABLE git_source (
  -- The first 16 hex digits of the SHA-256 of its address, ref, path and workspace.
  id TEXT PRIMARY KEY,
  -- When a webhook last asked for a check.
  requested_at INTEGER NOT NULL DEFAULT 0,
  -- When the last check began, by any process.
  checked_at INTEGER NOT NULL DEFAULT 0,
  -- When the last check without any failure or error ended; 0: never.
  good_at INTEGER NOT NULL DEFAULT 0,
  -- JSON: the commit and the result of the last import; null: none yet.
  imported TEXT,
  -- JSON: why the last check failed; null: it did not.
  failure TEXT
);

-- The commit of the draft, which becomes the note of its publication; null: it is not from a repository.
ALTER TABLE project ADD COLUMN draft_note TEXT;

-- JSON: the paths of the pages and styles of the last import in the brand folder; null: unknown.
ALTER TABLE project ADD COLUMN source TEXT;

-- A digest of these paths and the address for editing a file, with {path}; null: none.
ALTER TABLE project ADD COLUMN edit TEXT;
