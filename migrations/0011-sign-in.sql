-- Services of version 9 and newer go on.

-- The issuers whose people may sign in to a workspace.
CREATE TABLE signin (
  id TEXT PRIMARY KEY,
  workspace TEXT NOT NULL,
  issuer TEXT NOT NULL,
  -- JSON: the client, or the header of a proxy, and the rules for who may sign in.
  settings TEXT NOT NULL,
  -- As given, or a JWE if a key secret is set; null: a public client, or a proxy.
  client_secret TEXT,
  created_at INTEGER NOT NULL
);

-- People who signed in. The cookie has the secret; the store has only its hash.
CREATE TABLE session (
  id TEXT PRIMARY KEY,
  workspace TEXT NOT NULL,
  signin TEXT NOT NULL,
  -- HMAC-SHA256 of the cookie's secret, in base64url.
  secret_hash TEXT NOT NULL,
  -- HMAC-SHA256 of the issuer and its subject, in base64url: the person in logs and tokens.
  subject TEXT NOT NULL,
  email TEXT,
  name TEXT,
  -- JSON arrays of project ids and of their instances, in the same order; null means all.
  projects TEXT,
  instances TEXT,
  -- 1: also the drafts of these projects.
  drafts INTEGER NOT NULL,
  -- The issuer's tokens for ending its session and for reading groups again, as a JWE; null: none.
  issuer_tokens TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  ended_at INTEGER
);
CREATE INDEX session_by_workspace ON session (workspace, expires_at);

-- Programs that act for a person: those whom someone who signed in, or the holder of a share link, has allowed.
CREATE TABLE connection (
  id TEXT PRIMARY KEY,
  workspace TEXT NOT NULL,
  -- The client id: of a registered client, or the https address of its metadata.
  client TEXT NOT NULL,
  client_name TEXT,
  -- The session or the share link that it depends on; one of them is null.
  session TEXT,
  share TEXT,
  -- The issuer's settings, and its tokens as a JWE: with them, the connection may outlive the session. Null: it may not.
  signin TEXT,
  issuer_tokens TEXT,
  subject TEXT NOT NULL,
  email TEXT,
  resource TEXT NOT NULL,
  -- Separated by spaces.
  scope TEXT NOT NULL,
  projects TEXT,
  instances TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  ended_at INTEGER,
  last_used_at INTEGER
);
CREATE INDEX connection_by_session ON connection (session);
CREATE INDEX connection_by_share ON connection (share);

-- The state of authorizations: requests, codes and refresh tokens, by their kind and id.
CREATE TABLE authorization_state (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  -- The connection that it belongs to; null: none yet.
  connection TEXT,
  uid TEXT,
  -- JSON.
  payload TEXT NOT NULL,
  consumed_at INTEGER,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (kind, id)
);
CREATE INDEX authorization_by_connection ON authorization_state (connection);
CREATE INDEX authorization_by_uid ON authorization_state (uid);
CREATE INDEX authorization_by_expiry ON authorization_state (expires_at);

-- The connection that a token was issued to; null: none.
ALTER TABLE token ADD COLUMN connection TEXT;
CREATE INDEX token_by_connection ON token (connection);

-- JSON array of the redirect addresses of a client that people allow to act for them; null: it acts for itself.
ALTER TABLE client ADD COLUMN redirect_uris TEXT;

-- 1: the link opens the draft, and never the published guide.
ALTER TABLE share ADD COLUMN draft INTEGER NOT NULL DEFAULT 0;

-- The hour of the last use; null: never, or before this migration.
ALTER TABLE token ADD COLUMN last_used_at INTEGER;
ALTER TABLE client ADD COLUMN last_used_at INTEGER;
ALTER TABLE share ADD COLUMN last_used_at INTEGER;

-- The contact for people who may not sign in; null: not set. The draft contact replaces it as the draft name replaces the name.
ALTER TABLE workspace ADD COLUMN contact TEXT;
ALTER TABLE workspace ADD COLUMN draft_contact TEXT;
