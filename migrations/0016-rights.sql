-- Services of version 9 and newer go on.

-- The private folders of backups that have not ended. Each has a copy of the catalogue, with the signing keys.
CREATE TABLE unfinished_backup (
  folder TEXT PRIMARY KEY,
  began_at INTEGER NOT NULL
);
