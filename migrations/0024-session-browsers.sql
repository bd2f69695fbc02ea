-- Services of version 9 and newer go on.

-- The browser and the system of a person, such as "Firefox, Windows"; null: neither is known.
ALTER TABLE session ADD COLUMN browser TEXT;
