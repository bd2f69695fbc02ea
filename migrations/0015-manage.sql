-- Services of version 9 and newer go on.

-- The name of the person who published it; null: unknown.
ALTER TABLE revision ADD COLUMN who TEXT;

-- JSON: the projects that the person manages, {} for all that exist; null: none.
ALTER TABLE session ADD COLUMN manages TEXT;

-- 1: readers with the link may approve the draft.
ALTER TABLE share ADD COLUMN may_approve INTEGER NOT NULL DEFAULT 0;

-- JSON: the first findings in the import of the draft; null: unknown.
ALTER TABLE project ADD COLUMN draft_findings TEXT;

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
  -- approve, or ask for changes.
  answer TEXT NOT NULL,
  comment TEXT,
  -- The draft that the answer is about.
  snapshot TEXT NOT NULL,
  answered_at INTEGER NOT NULL,
  PRIMARY KEY (workspace, project, reviewer)
);

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
