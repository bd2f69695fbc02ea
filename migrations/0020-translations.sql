-- Services of version 9 and newer go on.

-- The numbers of pages that the draft of a translation lacks, and that changed since they were translated; null for others.
ALTER TABLE project ADD COLUMN draft_missing INTEGER;
ALTER TABLE project ADD COLUMN draft_stale INTEGER;
