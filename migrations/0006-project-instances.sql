-- Tells a project from a later one of its name. What was there before, and what tokens and clients of then name, has an empty one.
ALTER TABLE project ADD COLUMN instance TEXT NOT NULL DEFAULT '';

-- JSON array of the instances of a client's projects, in their order; null: each is empty.
ALTER TABLE client ADD COLUMN instances TEXT;
