-- Services of version 9 and newer go on.

-- JSON: the theme of the pages before the guides, with the logo as a file; null: none. The draft is from the last import.
ALTER TABLE workspace ADD COLUMN theme TEXT;
ALTER TABLE workspace ADD COLUMN draft_theme TEXT;
