-- Times are milliseconds since 1970. The SQL is a subset that SQLite and Postgres share.

-- The identity of this store, created once and never changed: its URN and its secrets.
CREATE TABLE identity (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
);

-- Publishing a project of the workspace replaces the served name, contact and theme by the draft ones, from the last import.
CREATE TABLE workspace (
  id TEXT PRIMARY KEY,
  created_at INTEGER NOT NULL,
  name TEXT NOT NULL,
  -- The contact for people who may not sign in; null: not set.
  contact TEXT,
  -- JSON: the theme of the pages before the guides, with the logo as a file; null: none.
  theme TEXT,
  draft_name TEXT NOT NULL,
  draft_contact TEXT,
  draft_theme TEXT
);

-- The pointers of a project.
CREATE TABLE project (
  workspace TEXT NOT NULL REFERENCES workspace (id),
  id TEXT NOT NULL,
  -- Random: distinguishes the project from a later one with the same id.
  instance TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  draft_snapshot TEXT NOT NULL,
  draft_name TEXT NOT NULL,
  draft_visibility TEXT NOT NULL,
  draft_revisions TEXT NOT NULL,
  -- The version of the facts of pictures with which the draft is shown.
  draft_facts INTEGER NOT NULL,
  -- The commit of the draft, which becomes the note of its publication; null: it is not from a repository.
  draft_note TEXT,
  -- JSON: the first findings in the import of the draft; null: unknown.
  draft_findings TEXT,
  -- JSON: the people who must approve the draft, as a number or as addresses; null: none.
  draft_reviewers TEXT,
  -- JSON: the addresses of the people whose commits changed the draft, with an empty string at each publication.
  draft_authors TEXT NOT NULL,
  -- The numbers of pages that the draft of a translation lacks, and that changed since they were translated; null for others.
  draft_missing INTEGER,
  draft_stale INTEGER,
  -- These columns are null while nothing is published.
  published_revision INTEGER,
  published_at INTEGER,
  published_visibility TEXT,
  published_revisions TEXT,
  -- The reviewers whom the published revision asked for, as in draft_reviewers.
  published_reviewers TEXT,
  -- A higher number changes the addresses of the project's files.
  file_key INTEGER NOT NULL,
  -- JSON: the paths of the pages and styles of the last import in the brand folder; null: unknown.
  source TEXT,
  -- A digest of these paths and the address for editing a file, with {path}; null: none.
  edit TEXT,
  PRIMARY KEY (workspace, id)
);

-- Public projects, for lists over all workspaces.
CREATE INDEX open_project ON project (workspace, id) WHERE published_visibility = 'public';

-- The history of a project: rows are only added.
CREATE TABLE revision (
  workspace TEXT NOT NULL,
  project TEXT NOT NULL,
  number INTEGER NOT NULL,
  snapshot TEXT NOT NULL,
  name TEXT NOT NULL,
  -- The visibility when it was published.
  visibility TEXT NOT NULL,
  -- The version of the facts of pictures with which it is shown.
  facts INTEGER NOT NULL,
  published_at INTEGER NOT NULL,
  note TEXT,
  -- The name of the person who published it; null: unknown.
  who TEXT,
  -- JSON: the people who approved it, the requests for changes that were open, and when it was planned.
  reviewed TEXT NOT NULL,
  -- A retracted revision stays in the history but is not served. A freed one has lost its content.
  retracted_at INTEGER,
  freed_at INTEGER,
  PRIMARY KEY (workspace, project, number),
  FOREIGN KEY (workspace, project) REFERENCES project (workspace, id)
);

-- The last numbers of a deleted project: a later project of the same id continues from there.
CREATE TABLE deleted_project (
  workspace TEXT NOT NULL,
  id TEXT NOT NULL,
  last_revision INTEGER NOT NULL,
  -- The file_key of the later project, so that the addresses of the deleted one are never reused.
  next_file_key INTEGER NOT NULL,
  PRIMARY KEY (workspace, id)
);

-- Copies under way. The process that copies holds a lock with the id while it runs.
CREATE TABLE copy (
  id TEXT PRIMARY KEY,
  source_workspace TEXT NOT NULL,
  source_project TEXT NOT NULL,
  target_workspace TEXT NOT NULL,
  target_project TEXT NOT NULL
);

-- Pages and chunks of snapshots, keyed by the SHA-256 of their bytes.
CREATE TABLE object (
  workspace TEXT NOT NULL,
  hash TEXT NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (workspace, hash)
);

-- Measured facts of pictures as JSON, keyed by the SHA-256 of the file and the version of the measure; null: it could not
-- be measured.
CREATE TABLE picture_facts (
  workspace TEXT NOT NULL,
  hash TEXT NOT NULL,
  version INTEGER NOT NULL,
  facts TEXT,
  PRIMARY KEY (workspace, hash, version)
);

-- A cache of the data that imports have read from files, so that the next import skips unchanged files. Rows may be
-- deleted at any time.
CREATE TABLE seen (
  workspace TEXT NOT NULL,
  -- Relative to the brand folder.
  path TEXT NOT NULL,
  -- The fingerprint: size and times of the file, and the version of the readers that read it.
  stamp TEXT NOT NULL,
  -- file or page.
  kind TEXT NOT NULL,
  -- The hash of the file's content.
  content TEXT NOT NULL,
  -- The data as JSON.
  reading TEXT NOT NULL,
  PRIMARY KEY (workspace, path)
);

-- The printed books of published snapshots, which services make, and why one could not be made. Not in backups. The latest
-- row of an edition counts.
CREATE TABLE book (
  workspace TEXT NOT NULL,
  project TEXT NOT NULL,
  snapshot TEXT NOT NULL,
  -- The public URL, the version of the program and, if pages differ from one day to the next, the day in UTC.
  edition TEXT NOT NULL,
  made_at INTEGER NOT NULL,
  -- The SHA-256 of the PDF among the files of the workspace; null: it could not be made.
  hash TEXT,
  size INTEGER NOT NULL,
  problem TEXT,
  PRIMARY KEY (workspace, project, snapshot, edition, made_at)
);

-- Changes in order, so that every process can reload the changed data.
CREATE TABLE change (
  number INTEGER PRIMARY KEY,
  -- Null: keys, revocations, clients or share links have changed.
  workspace TEXT,
  -- The changed project, so that only it is reloaded; null: anything in the workspace may have changed.
  project TEXT,
  -- Whether that project was published or unpublished; null: neither.
  event TEXT
);

-- The repositories that services follow, shared by all processes.
CREATE TABLE git_source (
  -- The first 16 hex digits of the SHA-256 of its address, ref, path and workspace.
  id TEXT PRIMARY KEY,
  -- When a webhook last asked for a check.
  requested_at INTEGER NOT NULL DEFAULT 0,
  -- When the last check began, by any process.
  checked_at INTEGER NOT NULL DEFAULT 0,
  -- When the last check without any failure or error ended; 0: never.
  good_at INTEGER NOT NULL DEFAULT 0,
  -- JSON: the commit and the result of the last import; null: none yet.
  imported TEXT,
  -- JSON: why the last check failed; null: it did not.
  failure TEXT
);

-- The addresses of running services, each a lease that its service renews. Expired rows are ignored.
CREATE TABLE service (
  id TEXT PRIMARY KEY,
  url TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
);

-- The private folders of backups that have not ended. Each has a copy of the catalogue, with the signing keys.
CREATE TABLE unfinished_backup (
  folder TEXT PRIMARY KEY,
  began_at INTEGER NOT NULL
);

-- The hosts at which workspaces and guides have their own addresses.
CREATE TABLE host (
  -- In lower case, without a port.
  host TEXT PRIMARY KEY,
  workspace TEXT NOT NULL,
  -- The guide; null: the whole workspace.
  project TEXT,
  created_at INTEGER NOT NULL
);

-- A retired key verifies no tokens. Its row stays, so that its id is never used again.
CREATE TABLE signing_key (
  kid TEXT PRIMARY KEY,
  algorithm TEXT NOT NULL,
  public_jwk TEXT NOT NULL,
  private_jwk TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  retired_at INTEGER
);

-- Issued tokens, without the tokens themselves.
CREATE TABLE token (
  jti TEXT PRIMARY KEY,
  client TEXT NOT NULL,
  workspace TEXT NOT NULL,
  -- Separated by spaces.
  scope TEXT NOT NULL,
  -- JSON array of project ids; null means all.
  projects TEXT,
  -- The connection that it was issued to; null: none.
  connection TEXT,
  issued_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  revoked_at INTEGER,
  -- The hour of the last use; null: never.
  last_used_at INTEGER
);

-- For counting the live tokens of a client or a connection, and for deleting expired tokens.
CREATE INDEX token_by_client ON token (client, expires_at);
CREATE INDEX token_by_connection ON token (connection);
CREATE INDEX token_by_expiry ON token (expires_at);

-- Clients that may request tokens. The row of a deleted client stays, so that its id is never used again.
CREATE TABLE client (
  id TEXT PRIMARY KEY,
  workspace TEXT NOT NULL REFERENCES workspace (id),
  -- Null: none.
  name TEXT,
  -- HMAC-SHA256 of the secret, in base64url, and never the secret itself; empty if it has none.
  secret_hash TEXT NOT NULL,
  -- Separated by spaces.
  scope TEXT NOT NULL,
  -- JSON array of projects by id and instance; null means all.
  projects TEXT,
  -- JSON array of the redirect addresses of a client that people allow to act for them; null: it acts for itself.
  redirect_uris TEXT,
  created_at INTEGER NOT NULL,
  deleted_at INTEGER,
  -- The hour of the last use; null: never.
  last_used_at INTEGER
);

-- Links that open the website of a private project.
CREATE TABLE share (
  id TEXT PRIMARY KEY,
  workspace TEXT NOT NULL,
  project TEXT NOT NULL,
  -- Null: none.
  name TEXT,
  -- HMAC-SHA256 of the link's secret, in base64url; never the secret itself.
  secret_hash TEXT NOT NULL,
  -- 1: the link opens the draft, and never the published guide.
  draft INTEGER NOT NULL,
  -- 1: readers with the link may approve the draft.
  may_approve INTEGER NOT NULL,
  -- The name of the person who made the link; null: unknown.
  made_by TEXT,
  -- Their subject, issuer's settings and address, if they were signed in; null: somebody on the command line.
  maker TEXT,
  maker_signin TEXT,
  maker_email TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  revoked_at INTEGER,
  -- The hour of the last use; null: never.
  last_used_at INTEGER
);

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
  name TEXT,
  -- The address that the issuer has verified; null: none.
  email TEXT,
  -- Another address, which is only shown; null: none.
  unverified_email TEXT,
  -- JSON array of projects by id and instance; null means all.
  projects TEXT,
  -- 1: also the drafts of these projects.
  drafts INTEGER NOT NULL,
  -- JSON: the projects that the person manages or edits; {} for all projects, null for none.
  manages TEXT,
  edits TEXT,
  -- The browser and the system of the person, such as "Firefox, Windows"; null: neither is known.
  browser TEXT,
  -- The issuer's tokens for ending its session and for reading groups again, as a JWE; null: none.
  issuer_tokens TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  -- The last request with the session's cookie, to a few minutes; null: no cookie opens it, or it has not been used.
  used_at INTEGER,
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
  -- The person, as in session.
  subject TEXT NOT NULL,
  email TEXT,
  unverified_email TEXT,
  resource TEXT NOT NULL,
  -- Separated by spaces.
  scope TEXT NOT NULL,
  -- JSON array of projects by id and instance; null means all.
  projects TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  -- The hour of the last use; null: never.
  last_used_at INTEGER,
  ended_at INTEGER
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

-- The latest answer of each person and each link about the draft of a project.
CREATE TABLE review (
  workspace TEXT NOT NULL,
  project TEXT NOT NULL,
  -- The subject of a person, or the id of a share link after `share:`.
  reviewer TEXT NOT NULL,
  -- Their name.
  who TEXT NOT NULL,
  -- 1: a person who was signed in; 0: a link.
  signed_in INTEGER NOT NULL,
  -- The settings of the issuer and the address with which the person was signed in; null: unknown, or a link.
  signin TEXT,
  email TEXT,
  -- approve, or ask for changes.
  answer TEXT NOT NULL,
  comment TEXT,
  -- The draft that the answer is about, and a digest of the other changes that publishing it would make.
  snapshot TEXT NOT NULL,
  settings TEXT NOT NULL,
  answered_at INTEGER NOT NULL,
  -- When the person lost the right to answer; null: not yet.
  ended_at INTEGER,
  -- When a manager dismissed the request for changes, and their name.
  dismissed_at INTEGER,
  dismissed_by TEXT,
  PRIMARY KEY (workspace, project, reviewer)
);

-- The answers about drafts that a later answer of the same reviewer has replaced. The columns are those of `review`.
CREATE TABLE answer (
  workspace TEXT NOT NULL,
  project TEXT NOT NULL,
  reviewer TEXT NOT NULL,
  who TEXT NOT NULL,
  signed_in INTEGER NOT NULL,
  signin TEXT,
  email TEXT,
  answer TEXT NOT NULL,
  comment TEXT,
  snapshot TEXT NOT NULL,
  settings TEXT NOT NULL,
  answered_at INTEGER NOT NULL,
  ended_at INTEGER,
  dismissed_at INTEGER,
  dismissed_by TEXT
);
CREATE INDEX answer_by_project ON answer (workspace, project, answered_at);

-- The publication of each project that a person has planned, also when it has ended without one.
CREATE TABLE planned_publication (
  workspace TEXT NOT NULL,
  project TEXT NOT NULL,
  -- The draft, and a digest of the other changes that publishing it would make.
  snapshot TEXT NOT NULL,
  settings TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  note TEXT,
  -- Their name; null: unknown.
  who TEXT,
  -- Their subject, issuer's settings and address, if they were signed in; null: somebody on the command line.
  subject TEXT,
  signin TEXT,
  email TEXT,
  -- 1: the changed fields of the workspace stay unpublished.
  keeps_workspace INTEGER NOT NULL,
  -- JSON: whether it needs an approval, and the reviewers whom its draft asked for.
  needs TEXT NOT NULL,
  -- JSON: the ids of the open requests for changes over which it was planned.
  over_requests TEXT NOT NULL,
  planned_at INTEGER NOT NULL,
  -- When and why it ended without a publication: the code of a failure, or right_ended; null: it waits.
  ended_at INTEGER,
  reason TEXT,
  PRIMARY KEY (workspace, project)
);
CREATE INDEX planned_publication_by_time ON planned_publication (due_at);

-- The kinds of mail that people have chosen.
CREATE TABLE mail_choice (
  workspace TEXT NOT NULL,
  -- The person, as in sessions: a hash.
  subject TEXT NOT NULL,
  -- The settings of the issuer and the address with which the person was signed in.
  signin TEXT NOT NULL,
  email TEXT NOT NULL,
  -- The language of the mail.
  lang TEXT NOT NULL,
  -- JSON list of kinds of mail.
  kinds TEXT NOT NULL,
  -- JSON: the rights of the person at the latest sign-in: projects, drafts, manages and edits, as in a session.
  rights TEXT NOT NULL,
  -- The latest sign-in, and the choice.
  seen_at INTEGER NOT NULL,
  chosen_at INTEGER NOT NULL,
  PRIMARY KEY (workspace, subject)
);

-- Mail to people: the outbox.
CREATE TABLE mail (
  id TEXT PRIMARY KEY,
  workspace TEXT NOT NULL,
  project TEXT NOT NULL,
  -- Its reader, as in `mail_choice`.
  subject TEXT NOT NULL,
  kind TEXT NOT NULL,
  -- Why a publication failed; null: the mail is made from the store.
  reason TEXT,
  created_at INTEGER NOT NULL,
  -- When it is due; during an attempt, the end of its lease. Null: sent.
  next_at INTEGER,
  attempts INTEGER NOT NULL,
  -- The problem of the latest attempt; null: none.
  problem TEXT
);
CREATE INDEX mail_by_time ON mail (next_at);

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

-- How often the content of a project was requested on a day, without any data about visitors.
CREATE TABLE usage (
  workspace TEXT NOT NULL,
  project TEXT NOT NULL,
  -- In UTC: 2026-11-24.
  day TEXT NOT NULL,
  -- page, file, export, missed, api or agent.
  kind TEXT NOT NULL,
  item TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (workspace, project, day, kind, item)
);
CREATE INDEX usage_by_day ON usage (day);
