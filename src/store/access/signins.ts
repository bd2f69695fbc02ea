import { isStoredWorkspaceId, type ProjectRef } from '#brand/ids.ts'
import { field } from '#platform/base/object.ts'
import type { ProjectInstance } from '../catalogue/catalogue.ts'
import type { Readable } from '../database/damaged-row.ts'
import type { Queries } from '../database/database.ts'
import {
  date,
  defineTable,
  isStringList,
  json,
  matching,
  optional,
  type RecordOf,
  sealed,
  text,
  unprinted,
} from '../database/table.ts'
import { DamagedRow } from '../store-error.ts'
import { endConnections } from './connections.ts'
import { isProjectList } from './covered-projects.ts'
import { endSessionsOf } from './sessions.ts'

/** Issuers whose people may sign in to a workspace. */
export const SIGNINS = defineTable('signin', {
  id: text('id'),
  workspace: text('workspace', 'the id of a workspace', isStoredWorkspaceId),
  issuer: text('issuer', 'the name of an issuer', name => name !== ''),
  settings: unprinted(json<SigninSettings>('settings', 'the settings of an issuer', isSettings)),
  /** The client's secret as a JSON object, or that encrypted; absent for a public client and for a proxy. */
  clientSecret: unprinted(optional(sealed('client_secret'))),
  createdAt: date('created_at'),
})

/** Whether a value is the settings of an issuer, as far as a service depends on their form. */
function isSettings(value: unknown): boolean {
  const way = field(value, 'way')
  const rules = field(value, 'rules')
  const proxy = ['header', 'jwks', 'audience'].map(key => field(field(way, 'proxy'), key))
  const groups = field(rules, 'groups')
  const isWay = typeof field(way, 'clientId') === 'string' || isStringList(proxy)
  const areLists = [field(rules, 'domains'), field(rules, 'emails')].every(isStringList)
  const areGroups = Array.isArray(groups) && groups.every(isGroup)
  const areTexts = [field(value, 'name') ?? '', field(rules, 'groupsClaim')].every(each => typeof each === 'string')
  const areFlags = FLAGS.every(name => typeof field(value, name) === 'boolean')
  return [isWay, areLists, areGroups, areTexts, areFlags].every(Boolean)
}

function isGroup(value: unknown): boolean {
  return typeof field(value, 'group') === 'string' && isProjectList(field(value, 'projects') ?? [])
}

const FLAGS = ['drafts', 'manage', 'edit', 'hasOwnRedirect']

export type SigninRecord = RecordOf<typeof SIGNINS>

export type SigninSettings = {
  /** Its name on the page where people choose an issuer; absent if it has none. */
  name?: string | undefined
  /** The client at the issuer, or the proxy that states the person. */
  way: { clientId: string } | { proxy: ProxyHeader }
  rules: SigninRules
  /** Whether people may also see the drafts of their projects. */
  drafts: boolean
  /** Whether they also manage their projects, and whether they edit them. */
  manage: boolean
  edit: boolean
  /** Whether its answers have their own address unless they name the issuer, because other issuers use the usual one. */
  hasOwnRedirect: boolean
}

/** The request field in which a proxy sends a signed JWT, in lower case, and what the JWT must contain. */
export type ProxyHeader = { header: string; jwks: string; audience: string }

/** The people who may sign in. Each rule that matches gives access; at least one must. */
export type SigninRules = {
  /** Domains of verified e-mail addresses, as addresses are compared. */
  domains: readonly string[]
  /** Verified e-mail addresses, as they are compared. */
  emails: readonly string[]
  groups: readonly GroupRule[]
  /** The claim that lists the person's groups. */
  groupsClaim: string
}

/** The projects for members of a group, by default all of the workspace, and the right that they have there. */
type GroupRule = { group: string; projects?: readonly ProjectInstance[] } & GroupRights

/** The right that a rule gives to members of a group. None: they only see the projects. */
export type GroupRights = { manage?: true; edit?: true }

/** The stronger right of a rule first: who manages may do more than who edits. */
export function rightOf(rule: GroupRights): keyof GroupRights | undefined {
  return (['manage', 'edit'] as const).find(right => rule[right])
}

/** The settings of the issuers of a workspace, or all, by workspace, then age. */
export function listSignins(queries: Queries, { workspace }: Partial<ProjectRef> = {}): Promise<SigninRecord[]> {
  const [where, ...values] = matching({ workspace })
  return SIGNINS.all(queries, `WHERE ${where} ${IN_ORDER}`, ...values)
}

/** The settings with this id, or of this workspace. */
export function listNamedSignins(queries: Queries, named: string): Promise<SigninRecord[]> {
  return SIGNINS.all(queries, `WHERE ? IN (id, workspace) ${IN_ORDER}`, named)
}

/** The same settings for a service, and the damaged ones: those of one workspace must not end the sign-ins of others. */
export function listServedSignins(queries: Queries): Promise<Readable<SigninRecord>> {
  return SIGNINS.readable(queries, IN_ORDER)
}

const IN_ORDER = 'ORDER BY workspace, created_at, id'

export function findSignin(queries: Queries, id: string): Promise<SigninRecord | undefined> {
  return SIGNINS.one(queries, 'WHERE id = ?', id)
}

/**
 * Removes an issuer's settings, and ends the sessions and connections of its people, inside a transaction; undefined if
 * there are no such settings. They are not returned if their row is damaged.
 */
export async function removeSigninRecord(
  queries: Queries,
  id: string,
  now: Date,
): Promise<{ removed: SigninRecord | undefined; sessions: number } | undefined> {
  const removed = await SIGNINS.found(queries, 'WHERE id = ?', id)
  if (!removed) return undefined
  await queries.run('DELETE FROM signin WHERE id = ?', id)
  const sessions = await endSessionsOf(queries, { column: 'signin', value: id }, now)
  await endConnections(queries, { column: 'signin', value: id }, now)
  return { removed: removed instanceof DamagedRow ? undefined : removed, sessions }
}
