-- The addresses of running services, each a lease that its service renews. A row that has expired counts for nothing.
CREATE TABLE service (
  id TEXT PRIMARY KEY,
  url TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
);
