-- Times are milliseconds since 1970. The SQL is a subset that SQLite and Postgres share.

-- The identity of this store, created once and never changed: its URN and its secrets.
CREATE TABLE identity (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
);

CREATE TABLE workspace (
  id TEXT PRIMARY KEY,
  -- The served name. The draft name replaces it when a project of the workspace is published.
  name TEXT NOT NULL,
  draft_name TEXT NOT NULL,
  created_at INTEGER NOT NULL
);

-- The pointers of a project. The four published columns are null while nothing is published.
CREATE TABLE project (
  workspace TEXT NOT NULL REFERENCES workspace (id),
  id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  draft_snapshot TEXT NOT NULL,
  draft_name TEXT NOT NULL,
  draft_visibility TEXT NOT NULL,
  draft_revisions TEXT NOT NULL,
  published_revision INTEGER,
  published_at INTEGER,
  published_visibility TEXT,
  published_revisions TEXT,
  -- A higher number changes the addresses of the project's files.
  file_key INTEGER NOT NULL DEFAULT 1,
  PRIMARY KEY (workspace, id)
);

-- The history of a project: rows are only added.
CREATE TABLE revision (
  workspace TEXT NOT NULL,
  project TEXT NOT NULL,
  number INTEGER NOT NULL,
  snapshot TEXT NOT NULL,
  name TEXT NOT NULL,
  published_at INTEGER NOT NULL,
  note TEXT,
  PRIMARY KEY (workspace, project, number),
  FOREIGN KEY (workspace, project) REFERENCES project (workspace, id)
);

-- Pages and chunks of snapshots, keyed by the SHA-256 of their bytes.
CREATE TABLE object (
  workspace TEXT NOT NULL,
  hash TEXT NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (workspace, hash)
);

-- Changes in order, so that every process can reload the changed data.
CREATE TABLE change (
  number INTEGER PRIMARY KEY,
  -- Null: keys, revocations, clients or share links have changed.
  workspace TEXT
);

CREATE TABLE signing_key (
  kid TEXT PRIMARY KEY,
  algorithm TEXT NOT NULL,
  public_jwk TEXT NOT NULL,
  private_jwk TEXT NOT NULL,
  created_at INTEGER NOT NULL
);

-- Issued tokens, without the tokens themselves.
CREATE TABLE token (
  jti TEXT PRIMARY KEY,
  client TEXT NOT NULL,
  workspace TEXT NOT NULL,
  scope TEXT NOT NULL,
  -- JSON array of project ids; null means all.
  projects TEXT,
  issued_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  revoked_at INTEGER
);
