-- What people call a client or a share link; null: nothing.
ALTER TABLE client ADD COLUMN name TEXT;
ALTER TABLE share ADD COLUMN name TEXT;
