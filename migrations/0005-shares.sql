-- Links that open the website of a private project.
CREATE TABLE share (
  id TEXT PRIMARY KEY,
  workspace TEXT NOT NULL,
  project TEXT NOT NULL,
  -- HMAC-SHA256 of the link's secret, in base64url; never the secret itself.
  secret_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  revoked_at INTEGER
);

-- The file_key of a later project of the same id, so that the addresses of the deleted one are never reused. Every file_key was
-- 1 before this migration.
ALTER TABLE deleted_project ADD COLUMN next_file_key INTEGER NOT NULL DEFAULT 2;
