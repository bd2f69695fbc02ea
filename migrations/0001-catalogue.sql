-- Times are milliseconds since 1970. The SQL is the subset that SQLite and Postgres both speak.

-- What this store is, made once: its URN and the secret of its file links.
CREATE TABLE identity (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
);

CREATE TABLE workspace (
  id TEXT PRIMARY KEY,
  -- What is served; the draft's name takes its place when a project of the workspace is published.
  name TEXT NOT NULL,
  draft_name TEXT NOT NULL,
  created_at INTEGER NOT NULL
);

-- The pointers of a project. The four published columns are null together while nothing is published.
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
  -- Raised to change the addresses of the project's files.
  file_key INTEGER NOT NULL DEFAULT 1,
  PRIMARY KEY (workspace, id)
);

-- History: only ever added to.
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

-- Pages and the chunks of snapshots, by the SHA-256 of their bytes.
CREATE TABLE object (
  workspace TEXT NOT NULL,
  hash TEXT NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (workspace, hash)
);

-- What has moved, in order, so that every process can follow.
CREATE TABLE change (
  number INTEGER PRIMARY KEY,
  -- Null: what tokens are checked against.
  workspace TEXT
);

CREATE TABLE signing_key (
  kid TEXT PRIMARY KEY,
  algorithm TEXT NOT NULL,
  public_jwk TEXT NOT NULL,
  private_jwk TEXT NOT NULL,
  created_at INTEGER NOT NULL
);

-- Issued tokens by their id: never the token itself.
CREATE TABLE token (
  jti TEXT PRIMARY KEY,
  client TEXT NOT NULL,
  workspace TEXT NOT NULL,
  scope TEXT NOT NULL,
  -- JSON array of project ids; null: all.
  projects TEXT,
  issued_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  revoked_at INTEGER
);
