-- Services of version 9 and newer go on.

-- Whether everyone could see the revision, as its publication said. Null: unknown, as it was published before this migration.
ALTER TABLE revision ADD COLUMN visibility TEXT;

UPDATE revision SET visibility = (
  SELECT p.published_visibility FROM project p
  WHERE p.workspace = revision.workspace AND p.id = revision.project AND p.published_revision = revision.number
);

-- For the number of a client's tokens that have not expired, and for those that have.
CREATE INDEX token_by_client ON token (client, expires_at);
CREATE INDEX token_by_expiry ON token (expires_at);
