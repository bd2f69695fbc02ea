-- A retired key verifies no tokens. Its row stays, so that its id is never used again.
ALTER TABLE signing_key ADD COLUMN retired_at INTEGER;

-- Clients that may request tokens. The row of a deleted client stays, so that its id is never used again.
CREATE TABLE client (
  id TEXT PRIMARY KEY,
  workspace TEXT NOT NULL REFERENCES workspace (id),
  -- HMAC-SHA256 of the secret, in base64url; never the secret itself.
  secret_hash TEXT NOT NULL,
  scope TEXT NOT NULL,
  -- JSON array of project ids; null means all.
  projects TEXT,
  created_at INTEGER NOT NULL,
  deleted_at INTEGER
);
