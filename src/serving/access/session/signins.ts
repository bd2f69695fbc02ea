import { randomBytes } from 'node:crypto'
import type { ProjectRef } from '#brand/ids.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { endConnections, listLiveConnections } from '#store/access/connections.ts'
import { endRights, type People as PeopleOfRights } from '#store/access/person-rights.ts'
import { endSessionsOf, listLiveSessions, listPeople } from '#store/access/sessions.ts'
import type { ShareRecord } from '#store/access/shares.ts'
import {
  type GroupRights,
  listServedSignins,
  listSignins,
  removeSigninRecord,
  rightOf,
  SIGNINS,
  type SigninRecord,
  type SigninRules,
  type SigninSettings,
} from '#store/access/signins.ts'
import { findProject, findWorkspace, type ProjectInstance } from '#store/catalogue/catalogue.ts'
import { recordChange } from '#store/catalogue/changes.ts'
import { unknownMessage } from '#store/catalogue/unknown-message.ts'
import { findIn } from '#store/database/damaged-row.ts'
import type { Database, Queries } from '#store/database/database.ts'
import { type AccessContext, changeAccess } from '../context.ts'
import { encryptKey } from '../keys/key-encryption.ts'

/** The settings of a new issuer. Projects of groups are ids, which must exist. */
export type NewSignin = {
  workspace: string
  issuer: string
  name?: string | undefined
  way: SigninSettings['way']
  clientSecret?: string | undefined
  rules: Omit<SigninRules, 'groups'> & {
    groups: readonly ({ group: string; projects?: readonly string[] } & GroupRights)[]
  }
  drafts: boolean
  manage?: boolean
  edit?: boolean
}

/** An issuer's settings, as `housestyle signin list --json` prints them. */
export type SigninState = ReturnType<typeof signinState>

/**
 * Adds the settings of an issuer to the store. The only problem is that a project of a group, or the workspace, does not
 * exist. With `isExpected`, the workspace may be created later.
 */
export async function addSignin(
  { database, keySecret, record }: AccessContext,
  added: NewSignin,
  now: Date,
  isExpected = false,
): Promise<Result<SigninState, string>> {
  const { clientSecret } = added
  const storedSecret = clientSecret === undefined ? undefined : await secretToStore(clientSecret, keySecret)
  const result = await database.transaction(async (queries): Promise<Result<SigninRecord, string>> => {
    const storedRules = await rulesWithInstances(queries, added, isExpected)
    if (!storedRules.ok) return storedRules
    const hasOwnRedirect = await needsOwnRedirect(queries, added.issuer)
    const signin = signinRecord(added, { rules: storedRules.value, hasOwnRedirect }, storedSecret, now)
    await SIGNINS.add(queries, signin)
    await recordChange(queries, undefined)
    return ok(signin)
  })
  if (!result.ok) return result
  const { id, workspace } = result.value
  record({ event: 'signin-added', signin: id, workspace })
  return ok(signinState(result.value))
}

function signinRecord(
  { workspace, issuer, name, way, drafts, manage = false, edit = false }: NewSignin,
  { rules, hasOwnRedirect }: Pick<SigninSettings, 'rules' | 'hasOwnRedirect'>,
  clientSecret: string | undefined,
  createdAt: Date,
): SigninRecord {
  const settings = { name, way, rules, drafts, manage, edit, hasOwnRedirect }
  return { id: randomBytes(8).toString('hex'), workspace, issuer, settings, clientSecret, createdAt }
}

/**
 * Whether an issuer needs its own redirect address, because another issuer uses the usual one. All settings of an issuer
 * have the same address. Only issuers with a client redirect; proxies do not.
 */
async function needsOwnRedirect(queries: Queries, issuer: string): Promise<boolean> {
  const { records } = await listServedSignins(queries)
  const redirecting = records.filter(({ settings }) => 'clientId' in settings.way)
  const sameIssuer = redirecting.find(each => each.issuer === issuer)
  if (sameIssuer) return sameIssuer.settings.hasOwnRedirect
  return redirecting.some(({ settings }) => !settings.hasOwnRedirect)
}

/** A secret as the store keeps it: encrypted, or as a JSON object, which distinguishes the two. */
function secretToStore(clientSecret: string, keySecret: string | undefined): string | Promise<string> {
  const text = JSON.stringify({ secret: clientSecret })
  return keySecret === undefined ? text : encryptKey(text, keySecret)
}

/** Names the projects of groups by instance, so that a later project of the same name is another one. */
async function rulesWithInstances(
  queries: Queries,
  { workspace, rules }: NewSignin,
  isExpected: boolean,
): Promise<Result<SigninRules, string>> {
  if (!isExpected && !(await findWorkspace(queries, workspace)))
    return failed(await unknownMessage(queries, { workspace }))
  const groups = []
  for (const { projects, ...rule } of rules.groups) {
    const instances: ProjectInstance[] = []
    for (const project of projects ?? []) {
      const record = await findProject(queries, workspace, project)
      if (!record) return failed(await unknownMessage(queries, { workspace, project }))
      instances.push({ project, instance: record.instance })
    }
    groups.push({ ...rule, ...(projects && { projects: instances }) })
  }
  return ok({ ...rules, groups })
}

export async function signinStates(queries: Queries, of: Partial<ProjectRef>): Promise<SigninState[]> {
  return (await listSignins(queries, of)).map(signinState)
}

/**
 * Removes an issuer and ends its people's sessions in every process. Undefined if no issuer has this id. The result has
 * only the id and the numbers if the row was damaged.
 */
export async function removeSignin(
  access: AccessContext,
  id: string,
  now: Date,
  { keepsLinks = false }: Ending = {},
): Promise<((SigninState | Pick<SigninState, 'id'>) & { endedSessions: number; endedLinks: number }) | undefined> {
  const ended = await changeAccess(
    access,
    async queries => {
      const removed = await removeSigninRecord(queries, id, now)
      return removed && { ...removed, links: await endRights(queries, { signin: id }, { keepsLinks, now }) }
    },
    ({ removed, sessions }) => ({ event: 'signin-removed', signin: id, workspace: removed?.workspace, sessions }),
  )
  recordLinks(access, ended?.links)
  if (!ended) return undefined
  const state = ended.removed ? signinState(ended.removed) : { id }
  return { ...state, endedSessions: ended.sessions, endedLinks: ended.links.length }
}

type Ending = { keepsLinks?: boolean }

function recordLinks({ record }: AccessContext, links: readonly ShareRecord[] = []): void {
  for (const { id, workspace, project } of links)
    record({ event: 'share-revoked', reason: 'maker', share: id, workspace, project })
}

/**
 * Ends sessions and everything that depends on them, in every process: those of an e-mail address, the one with an id,
 * or all. The answers of these people about drafts and the links that they made end, too, also if their sessions had
 * expired before. Returns the numbers of what ended.
 */
export async function endSessions(
  access: AccessContext,
  of: People,
  now: Date,
  { keepsLinks = false, keepsRights = false }: Ending & { keepsRights?: boolean } = {},
): Promise<{ sessions: number; connections: number; links: number }> {
  const ended = await changeAccess(
    access,
    async queries => {
      const people = keepsRights ? [] : await peopleOf(queries, of)
      const connections = await endConnections(queries, connectionsOf(of), now)
      const sessions = await endSessionsOf(queries, sessionsOf(of), now)
      const links: ShareRecord[] = []
      for (const each of people) links.push(...(await endRights(queries, each, { keepsLinks, now })))
      return { connections, sessions, links }
    },
    ({ sessions }) => ({ event: 'sessions-ended', sessions }),
  )
  recordLinks(access, ended?.links)
  return { sessions: ended?.sessions ?? 0, connections: ended?.connections ?? 0, links: ended?.links.length ?? 0 }
}

/**
 * The people whose rights end. For an address, these are also the people of its sessions, since the same person may have
 * acted earlier with another address.
 */
async function peopleOf(queries: Queries, of: People): Promise<PeopleOfRights[]> {
  if (of === 'all') return ['all']
  return 'email' in of ? [of, ...(await listPeople(queries, 'email', of.email))] : listPeople(queries, 'id', of.id)
}

/** The people of an e-mail address, the person of the session with an id, or all. */
export type People = { email: string } | { id: string } | 'all'

function sessionsOf(of: People): Parameters<typeof endSessionsOf>[1] {
  if (of === 'all') return of
  return 'email' in of ? { column: 'email', value: of.email } : { column: 'id', value: of.id }
}

/** The connections of people. A connection may outlive its session, so it is found by its own fields. */
function connectionsOf(of: People): Parameters<typeof endConnections>[1] {
  if (of === 'all') return 'all of people'
  return 'email' in of ? { column: 'email', value: of.email } : { column: 'session', value: of.id }
}

/** The ids of sessions whose issuer states this address without verifying it: they may be of somebody else. */
export async function unverifiedSessions(queries: Queries, people: People, now: Date): Promise<string[]> {
  if (people === 'all' || 'id' in people) return []
  const of = { unverifiedEmail: people.email }
  const sessionIds = (await listLiveSessions(queries, now, undefined, of)).map(({ id }) => id)
  const origins = (await listLiveConnections(queries, now, of)).map(({ origin }) => origin)
  const idsOfConnections = origins.flatMap(origin => ('session' in origin ? origin.session : []))
  return [...new Set([...sessionIds, ...idsOfConnections])]
}

function signinState({ id, workspace, issuer, settings, clientSecret, createdAt }: SigninRecord) {
  const { name, way, rules, drafts, manage, edit, hasOwnRedirect } = settings
  const groupsWith = (right: keyof GroupRights | undefined) =>
    rules.groups
      .filter(rule => rightOf(rule) === right)
      .map(({ group, projects }) => ({ group, projects: projects?.map(({ project }) => project) ?? null }))
  return {
    id,
    name,
    workspace,
    issuer,
    clientId: 'clientId' in way ? way.clientId : null,
    hasClientSecret: clientSecret !== undefined,
    proxy: 'proxy' in way ? way.proxy : null,
    allowDomains: rules.domains,
    allowEmails: rules.emails,
    allowGroups: groupsWith(undefined),
    manageGroups: groupsWith('manage'),
    editGroups: groupsWith('edit'),
    groupsClaim: rules.groupsClaim,
    drafts,
    manage,
    edit,
    hasOwnRedirect,
    createdAt: createdAt.toISOString(),
  }
}

/** The issuers' settings of all workspaces, in memory, so that a reply takes as long with them as without. */
export type Signins = {
  of: (workspace: string) => readonly SigninRecord[]
  all: () => readonly SigninRecord[]
  hasAny: () => boolean
  refresh: () => Promise<void>
}

/** Opens the settings. Those of a workspace with a damaged row throw. */
export async function openSignins(database: Database): Promise<Signins> {
  const read = async () => {
    const stored = await listServedSignins(database)
    const of = findIn(
      stored,
      ({ workspace }) => workspace,
      ({ workspace }) => workspace,
    )
    return { all: stored.records, of }
  }
  let stored = await read()
  return {
    of: workspace => stored.of(workspace),
    all: () => stored.all,
    hasAny: () => stored.all.length > 0,
    refresh: async () => {
      stored = await read()
    },
  }
}

/** Whether a page of this workspace offers to sign in. A proxy signs people in before they see a page. */
export function offersSignin(signins: Pick<Signins, 'of'>, workspace: string): boolean {
  return signins.of(workspace).some(({ settings }) => 'clientId' in settings.way)
}
