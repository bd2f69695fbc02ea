-- Services of version 9 and newer go on.

-- The reviewers whom the published revision asked for, as in draft_reviewers.
ALTER TABLE project ADD COLUMN published_reviewers TEXT;
-- JSON: the addresses of the people whose commits changed the draft since it was published; null without any.
ALTER TABLE project ADD COLUMN draft_authors TEXT;
-- Nobody knows which reviewers an earlier version published with; the draft's are the best guess.
UPDATE project SET published_reviewers = draft_reviewers WHERE published_revision IS NOT NULL;
