import type { Queries } from '../database/database.ts'
import { defineTable, number, type RecordOf, readTexts, text } from '../database/table.ts'

/** Running services of the store, each a lease of its address. Times are in milliseconds. */
const SERVICES = defineTable('service', {
  id: text('id'),
  url: text('url'),
  startedAt: number('started_at'),
  expiresAt: number('expires_at'),
})

export type ServiceLease = RecordOf<typeof SERVICES>

/** Takes or renews a lease, and removes expired ones, inside a transaction. */
export async function putLease(queries: Queries, lease: ServiceLease, now: number): Promise<void> {
  await queries.run('DELETE FROM service WHERE expires_at <= ?', now)
  await SERVICES.add(queries, lease, 'ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at')
}

/** Ends a lease. */
export async function removeLease(queries: Queries, id: string): Promise<void> {
  await queries.run('DELETE FROM service WHERE id = ?', id)
}

/** The addresses of running services of this store, the most recently started first. */
export async function listLeasedUrls(queries: Queries, now: number): Promise<string[]> {
  const sql = 'SELECT url FROM service WHERE expires_at > ? GROUP BY url ORDER BY MAX(started_at) DESC, url'
  return readTexts(queries, sql, now)
}
