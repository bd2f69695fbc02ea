-- Links that open the website of a private project.
CREATE TABLE share (
  id TEXT PRIMARY KEY,
  workspace TEXT NOT NULL,
  project TEXT NOT NULL,
  -- HMAC-SHA256 of the link's secret, in base64url: never the secret itself.
  secret_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  revoked_at INTEGER
);

-- What a later project of the same name makes its file addresses with, so that those of the deleted one stay dead.
-- Until now there was no number but 1.
ALTER TABLE deleted_project ADD COLUMN next_file_key INTEGER NOT NULL DEFAULT 2;
