-- The name of a client or a share link; null: none.
ALTER TABLE client ADD COLUMN name TEXT;
ALTER TABLE share ADD COLUMN name TEXT;
