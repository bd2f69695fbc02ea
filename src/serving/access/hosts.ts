import { placeText } from '#brand/ids.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { quote } from '#platform/base/text.ts'
import type { HostTarget } from '#platform/settings/hosts.ts'
import { HOSTS, type HostRecord, listHosts, listServedHosts, removeHost } from '#store/access/hosts.ts'
import { findPlace } from '#store/catalogue/catalogue.ts'
import { recordChange } from '#store/catalogue/changes.ts'
import { unknownMessage } from '#store/catalogue/unknown-message.ts'
import type { Database, Queries } from '#store/database/database.ts'
import { createHosts, type Hosts } from '../hosts.ts'
import { type AccessContext, changeAccess } from './context.ts'

type HostProblem = { code: 'not_found' | 'host_taken'; message: string }

/** Adds a host to the store. The problem is that its target does not exist, or that the host has one already. */
export async function addHost(
  { database, record }: AccessContext,
  host: string,
  target: HostTarget,
  now: Date,
): Promise<Result<HostRecord, HostProblem>> {
  const { workspace, project } = target
  const added = await database.transaction(async (queries): Promise<Result<HostRecord, HostProblem>> => {
    if (!(await findPlace(queries, target)))
      return failed({ code: 'not_found', message: await unknownMessage(queries, target) })
    const made = { host, workspace, project, createdAt: now }
    if ((await HOSTS.add(queries, made, 'ON CONFLICT (host) DO NOTHING')) === 0)
      return failed({ code: 'host_taken', message: `the host ${quote(host)} is in use: see \`housestyle host list\`` })
    await recordChange(queries, undefined)
    return ok(made)
  })
  if (added.ok) record({ event: 'host-added', host, workspace, project })
  return added
}

/** Removes a host from the store; undefined if it has none with this name. */
export function endHost(access: AccessContext, host: string): Promise<boolean | undefined> {
  return changeAccess(
    access,
    queries => removeHost(queries, host),
    () => ({ event: 'host-removed', host }),
  )
}

/**
 * The hosts of the settings, then those of the store, as `housestyle host list --json` prints them. For one in both, the
 * settings count. One without a place to serve, or with the name of the service itself, has a `problem`.
 */
export async function hostStates(queries: Queries, hosts: ReadonlyMap<string, HostTarget>, service: string) {
  const records = await listHosts(queries)
  const hostState = async (host: string, target: HostTarget, source: 'settings' | 'store') => {
    const { workspace, project = null } = target
    const place = placeText(target)
    const isOwn = host === new URL(service).hostname
    const problem = isOwn ? 'is the host of the public URL, which answers there' : await problemOf(queries, target)
    return { host, place, workspace, project, source, ...withoutUndefined({ problem }) }
  }
  const ofSettings = Array.from(hosts, ([host, target]) => hostState(host, target, 'settings'))
  const onlyStored = records.filter(({ host }) => !hosts.has(host))
  const ofStore = onlyStored.map(record => hostState(record.host, record, 'store'))
  return Promise.all([...ofSettings, ...ofStore])
}

/** Why the host of a place shows nothing. */
async function problemOf(queries: Queries, target: HostTarget): Promise<string | undefined> {
  const place = await findPlace(queries, target)
  if (place?.isServed) return undefined
  const why = place ? `${placeText(target)} is not published` : await unknownMessage(queries, target)
  return `answers 404: ${why}`
}

/** The hosts of a service. `refresh` reads those of the store again, and returns whether they have changed. */
export type OpenHosts = Hosts & { refresh: () => Promise<boolean> }

/** Opens the hosts of the settings and of the store. The public URL, then the settings, win over the store. */
export async function openHosts(
  database: Database,
  publicUrl: string,
  { hosts, isChecked }: { hosts: ReadonlyMap<string, HostTarget>; isChecked: boolean },
): Promise<OpenHosts> {
  let storedText = ''
  const { set, ...opened } = createHosts(publicUrl, isChecked)
  const reservedNames = new Set([...hosts.keys(), new URL(publicUrl).hostname])
  const refresh = async () => {
    const { records, damaged } = await listServedHosts(database)
    const latestText = JSON.stringify([records, damaged.map(String)])
    if (latestText === storedText) return false
    storedText = latestText
    const usable = records.filter(({ host }) => !reservedNames.has(host))
    const targets = usable.map(({ host, workspace, project }) => [host, { workspace, project }] as const)
    const usableDamaged = damaged.filter(({ key }) => !reservedNames.has(`${key.host}`.toLowerCase()))
    set([...hosts, ...targets], usableDamaged)
    return true
  }
  await refresh()
  return { ...opened, refresh }
}
