import type { Settings } from '#platform/settings/settings.ts'
import { openHosts } from '#serving/access/hosts.ts'
import { type Addresses, createAddresses } from '#serving/addresses.ts'
import { absoluteRoots } from '#serving/hosts.ts'
import type { Store } from '#store/store.ts'
import type { Listening } from '../http/server.ts'

/** The absolute addresses of a service with this public URL, also at the hosts in its settings and in the store. */
export async function addressesFor(
  { database, identity }: Store,
  publicUrl: string,
  { hosts }: Pick<Settings, 'hosts'>,
): Promise<Addresses> {
  const opened = await openHosts(database, publicUrl, { hosts, isChecked: false })
  return createAddresses(absoluteRoots(publicUrl, opened), identity.fileSecret)
}

/** Returns the address of the service from its settings, before it is known which free port it gets. */
export function addressFor({ publicUrl, host, port }: Pick<Settings, 'publicUrl' | 'host' | 'port'>): string {
  return publicUrl ?? addressOf({ host, port })
}

/** The local address of a listening server, for programs on the same machine. */
export function addressOf({ host, port }: Pick<Listening, 'host' | 'port'>): string {
  const local = LOOPBACKS.get(host) ?? host
  return `http://${local.includes(':') && !local.startsWith('[') ? `[${local}]` : local}:${port}`
}

/** The addresses of this machine for those that listen on all. */
const LOOPBACKS = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '[::1]'],
])
