-- Services of version 9 and newer go on.

-- Publications, and the ends of publications, of the last 30 days: for event streams and webhooks.
CREATE TABLE event (
  -- The number of its change, so later events have higher numbers.
  number INTEGER PRIMARY KEY,
  -- Random, so that a restored store never gives it to another event.
  id TEXT NOT NULL UNIQUE,
  -- published, unpublished or deleted.
  type TEXT NOT NULL,
  workspace TEXT NOT NULL,
  project TEXT NOT NULL,
  -- The instance and creation time of the project, which decide whether a token covers it.
  instance TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- The published revision, or the last one.
  revision INTEGER NOT NULL,
  snapshot TEXT NOT NULL,
  published_at INTEGER NOT NULL,
  happened_at INTEGER NOT NULL
);
CREATE INDEX event_by_workspace ON event (workspace, number);
CREATE INDEX event_by_age ON event (happened_at);

-- Addresses that get a message about each event.
CREATE TABLE webhook (
  id TEXT PRIMARY KEY,
  workspace TEXT NOT NULL,
  -- Null: all projects of the workspace.
  project TEXT,
  url TEXT NOT NULL,
  -- JSON, or a JWE if a key secret is set.
  secret TEXT NOT NULL,
  -- The secret before the last rotation, and until when it signs too; null: none.
  old_secret TEXT,
  old_secret_until INTEGER,
  created_at INTEGER NOT NULL,
  -- The first failure since the last success; null: none.
  failing_since INTEGER,
  disabled_at INTEGER,
  -- gone or failing.
  disabled_reason TEXT
);
CREATE INDEX webhook_by_workspace ON webhook (workspace);

-- Messages for webhooks: the outbox, and what became of them.
CREATE TABLE delivery (
  webhook TEXT NOT NULL,
  -- The id of the event.
  id TEXT NOT NULL,
  -- The number of the event, for their order.
  number INTEGER NOT NULL,
  workspace TEXT NOT NULL,
  project TEXT NOT NULL,
  -- Such as project.published.
  type TEXT NOT NULL,
  -- The exact body of each attempt.
  payload TEXT NOT NULL,
  -- waiting, delivered or failed.
  state TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- When it is due; during an attempt, the end of its lease. Null: no more.
  next_at INTEGER,
  attempts INTEGER NOT NULL,
  -- When the latest attempt ended, and its HTTP status or its problem; null: none.
  attempted_at INTEGER,
  status INTEGER,
  problem TEXT,
  PRIMARY KEY (webhook, id)
);
CREATE INDEX delivery_by_time ON delivery (next_at);
CREATE INDEX delivery_by_age ON delivery (created_at);
