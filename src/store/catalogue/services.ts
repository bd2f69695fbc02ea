import { type Queries, textsOf } from '../database/database.ts'

/** A running service of the store, as a lease of its address. Times are in milliseconds. */
export type ServiceLease = { id: string; url: string; startedAt: number; expiresAt: number }

/** Takes or renews a lease, and removes expired ones, inside a transaction. */
export async function putLease(queries: Queries, lease: ServiceLease, now: number): Promise<void> {
  const { id, url, startedAt, expiresAt } = lease
  await queries.run('DELETE FROM service WHERE expires_at <= ?', now)
  await queries.run(
    `INSERT INTO service (id, url, started_at, expires_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at`,
    id,
    url,
    startedAt,
    expiresAt,
  )
}

/** Ends a lease. */
export async function removeLease(queries: Queries, id: string): Promise<void> {
  await queries.run('DELETE FROM service WHERE id = ?', id)
}

/** The addresses of running services of this store, the most recently started first. */
export async function listLeasedUrls(queries: Queries, now: number): Promise<string[]> {
  const rows = await queries.all(
    'SELECT DISTINCT url, MAX(started_at) FROM service WHERE expires_at > ? GROUP BY url ORDER BY 2 DESC, url',
    now,
  )
  return textsOf(rows, 'url')
}
