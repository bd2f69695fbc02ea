-- Distinguishes a project from a later one with the same id. Projects from before this migration have an empty instance.
ALTER TABLE project ADD COLUMN instance TEXT NOT NULL DEFAULT '';

-- JSON array of the instances of a client's projects, in the same order; null: all are empty.
ALTER TABLE client ADD COLUMN instances TEXT;
