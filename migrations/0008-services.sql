-- The addresses of running services, each a lease that its service renews. Expired rows are ignored.
CREATE TABLE service (
  id TEXT PRIMARY KEY,
  url TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
);
