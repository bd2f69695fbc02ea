-- Services of version 9 and newer go on.

-- JSON: whether a planned publication needs an approval, and the reviewers whom its draft asked for; null: an earlier version planned it.
ALTER TABLE planned_publication ADD COLUMN needs TEXT;
