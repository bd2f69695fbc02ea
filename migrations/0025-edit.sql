-- Services of version 9 and newer go on.

-- JSON: the projects that the person edits; {} for all projects, null for none.
ALTER TABLE session ADD COLUMN edits TEXT;
