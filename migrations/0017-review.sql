-- Services of version 9 and newer go on.

-- The answers about drafts that a later answer of the same reviewer has replaced. The columns are those of `review`.
CREATE TABLE answer (
  workspace TEXT NOT NULL,
  project TEXT NOT NULL,
  reviewer TEXT NOT NULL,
  who TEXT NOT NULL,
  signed_in INTEGER NOT NULL,
  answer TEXT NOT NULL,
  comment TEXT,
  snapshot TEXT NOT NULL,
  answered_at INTEGER NOT NULL,
  settings TEXT,
  signin TEXT,
  email TEXT,
  ended_at INTEGER,
  dismissed_at INTEGER,
  dismissed_by TEXT
);
CREATE INDEX answer_by_project ON answer (workspace, project, answered_at);

-- JSON: who approved it, the requests for changes that were open, and when it was planned; null: none of these, or unknown.
ALTER TABLE revision ADD COLUMN reviewed TEXT;

-- JSON: the people who must approve the draft, as a number or as addresses; null: none.
ALTER TABLE project ADD COLUMN draft_reviewers TEXT;

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
  -- JSON list: some of draft, answer and failed.
  kinds TEXT NOT NULL,
  -- JSON: the rights of the person at the latest sign-in: projects, drafts and manages, as in a session.
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
  -- draft, answer or failed.
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
