-- The address of a person is now one that the issuer has verified. Another one is only shown; null: none.
ALTER TABLE session ADD COLUMN unverified_email TEXT;
ALTER TABLE connection ADD COLUMN unverified_email TEXT;

-- Rules for groups also admitted people without a verified address, and the store does not know whose was verified.
-- They sign in and answer again; people whom only rules for addresses admit have verified ones.
UPDATE session SET unverified_email = email, email = NULL
WHERE signin IN (SELECT id FROM signin WHERE settings NOT LIKE '%"groups":[]%');
UPDATE review SET email = NULL
WHERE signin IN (SELECT id FROM signin WHERE settings NOT LIKE '%"groups":[]%');
