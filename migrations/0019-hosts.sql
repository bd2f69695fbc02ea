-- Services of version 9 and newer go on.

-- The hosts at which workspaces and guides have their own addresses.
CREATE TABLE host (
  -- In lower case, without a port.
  host TEXT PRIMARY KEY,
  workspace TEXT NOT NULL,
  -- The guide; null: the whole workspace.
  project TEXT,
  created_at INTEGER NOT NULL
);
