import type { Readable } from '../database/damaged-row.ts'
import type { Queries } from '../database/database.ts'
import { date, defineTable, optional, type RecordOf, text } from '../database/table.ts'

/** The hosts of workspaces and guides. A project is named by its id, because its address follows from that. */
export const HOSTS = defineTable('host', {
  host: text('host', 'the name of a host', name => URL.parse(`http://${name}`)?.host === name),
  workspace: text('workspace'),
  project: optional(text('project')),
  createdAt: date('created_at'),
})

export type HostRecord = RecordOf<typeof HOSTS>

/** All hosts, oldest first: of several for one target, the first is its address. */
export function listHosts(queries: Queries): Promise<HostRecord[]> {
  return HOSTS.all(queries, OLDEST_FIRST)
}

/** The same hosts for a service, and the damaged ones: each fails only its own requests. */
export function listServedHosts(queries: Queries): Promise<Readable<HostRecord>> {
  return HOSTS.readable(queries, OLDEST_FIRST)
}

const OLDEST_FIRST = 'ORDER BY created_at, host'

/** Removes a host, which may be damaged: an empty text names one without a name. False if there is none. */
export async function removeHost(queries: Queries, host: string): Promise<boolean> {
  return (await queries.run("DELETE FROM host WHERE COALESCE(host, '') = ?", host)) > 0
}
