-- Services of version 9 and newer go on.

-- The private folders of backups that have not ended. Each has a copy of the catalogue, with the signing keys.
CREATE TABLE unfinished_backup (
  folder TEXT PRIMARY KEY,
  began_at INTEGER NOT NULL
);

-- A digest of the other changes that publishing would make; null: an earlier version, or not known.
ALTER TABLE review ADD COLUMN settings TEXT;
-- The settings of the issuer and the address with which the person was signed in; null: unknown, or a link.
ALTER TABLE review ADD COLUMN signin TEXT;
ALTER TABLE review ADD COLUMN email TEXT;
-- When the person lost the right to answer; null: not yet.
ALTER TABLE review ADD COLUMN ended_at INTEGER;
-- When a manager dismissed the request for changes, and their name.
ALTER TABLE review ADD COLUMN dismissed_at INTEGER;
ALTER TABLE review ADD COLUMN dismissed_by TEXT;

-- The name of the person who made the link; null: unknown.
ALTER TABLE share ADD COLUMN made_by TEXT;
-- Their subject, issuer's settings and address, if they were signed in; null: somebody on the command line.
ALTER TABLE share ADD COLUMN maker TEXT;
ALTER TABLE share ADD COLUMN maker_signin TEXT;
ALTER TABLE share ADD COLUMN maker_email TEXT;

-- The last request with the session's cookie, to a few minutes; null: no cookie opens it, or an earlier version made it.
ALTER TABLE session ADD COLUMN used_at INTEGER;
