-- Services of version 9 and newer go on.

-- Events about files whose rights end soon or have ended. A row stays, so that each of them happens once.
CREATE TABLE notice (
  workspace TEXT NOT NULL,
  project TEXT NOT NULL,
  -- The instance and creation time of the project, as in `event`.
  instance TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  path TEXT NOT NULL,
  -- The last day of the rights, in UTC: 2026-11-29.
  until TEXT NOT NULL,
  -- 30 or 7: that many days before it. 0: after it.
  days INTEGER NOT NULL,
  -- The number of its change; events and notices are numbered together.
  number INTEGER NOT NULL UNIQUE,
  -- Random, as in `event`.
  id TEXT NOT NULL UNIQUE,
  happened_at INTEGER NOT NULL,
  PRIMARY KEY (workspace, project, instance, path, until, days)
);
CREATE INDEX notice_by_workspace ON notice (workspace, number);
