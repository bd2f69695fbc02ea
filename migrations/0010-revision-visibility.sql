-- Services of version 9 and newer go on.

-- The visibility of the revision when it was published. Null: unknown, because it was published before this migration.
ALTER TABLE revision ADD COLUMN visibility TEXT;

UPDATE revision SET visibility = (
  SELECT p.published_visibility FROM project p
  WHERE p.workspace = revision.workspace AND p.id = revision.project AND p.published_revision = revision.number
);

-- For counting the live tokens of a client, and for deleting expired tokens.
CREATE INDEX token_by_client ON token (client, expires_at);
CREATE INDEX token_by_expiry ON token (expires_at);
