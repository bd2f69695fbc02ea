import { isEditTemplate } from '#brand/edit-link.ts'
import { USAGE_KINDS } from '#brand/usage.ts'
import { field, isObject, parsedJson } from '#platform/base/object.ts'
import type { Queries, Row } from '../database/database.ts'
import type { PrintedProperty } from '../database/table.ts'
import type { ContentPlace } from '../store-error.ts'

/**
 * Checks the values of a row whose kinds the database does not know: enumerated values, numbers, dates and JSON. Returns
 * the problem, or undefined.
 */
export function rowProblem(table: string, row: Row): string | undefined {
  for (const [column, value] of Object.entries(row)) {
    const check = CHECKS[table]?.[column] ?? (DATE.test(column) ? date : noBytes)
    const expected = value === null ? undefined : check(value)
    if (expected !== undefined) return `the column ${column} has ${describe(value)}, which is not ${expected}`
  }
  const [projects, instances] = [row.projects, row.instances].map(listLength)
  if (instances === undefined || projects === instances) return undefined
  return `the column instances has ${instances} values for ${projects ?? 'no'} projects`
}

function listLength(value: unknown): number | undefined {
  return typeof value === 'string' ? JSON.parse(value).length : undefined
}

/** A property whose columns must also pass these checks. */
export function withChecks<Value, State>(
  table: string,
  { columns, read, ...others }: PrintedProperty<Value, State>,
): PrintedProperty<Value, State> {
  const readChecked = (row: Row) => {
    const problem = rowProblem(table, Object.fromEntries(columns.map(column => [column, row[column]])))
    if (problem !== undefined) throw new Error(problem)
    return read(row)
  }
  return { ...others, columns, read: readChecked }
}

/** Whether a damaged row was repaired or removed. */
export async function isRowSound(
  queries: Queries,
  { table, key }: Extract<ContentPlace, { kind: 'row' }>,
): Promise<boolean> {
  const columns = Object.entries(key).flatMap(([column, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [{ column, value }] : [],
  )
  const where = columns.map(({ column }) => `${column} = ?`).join(' AND ')
  const row = await queries.get(`SELECT * FROM ${table} WHERE ${where}`, ...columns.map(({ value }) => value))
  return !row || rowProblem(table, row) === undefined
}

/** Returns what a value should be, unless it is. */
type Check = (value: unknown) => string | undefined

function oneOf(...values: readonly string[]): Check {
  return value => (values.some(each => each === value) ? undefined : values.join(', '))
}

function integer(min: number, max: number, text: string): Check {
  return value =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max ? undefined : text
}

/** The latest time that a `Date` can have, in milliseconds. */
export const MAX_DATE_MS = 8.64e15
const DATE = /_(?:at|until|since)$/
const date = integer(0, MAX_DATE_MS, 'a date in milliseconds since 1970')
/** Keys are checked whole, which also names their ids. */
const anyKey: Check = () => undefined
/** Only SQLite accepts bytes in a column of strings. */
const noBytes: Check = value => (value instanceof Uint8Array ? 'a string' : undefined)
const flag = integer(0, 1, '0 or 1')
const count = integer(0, Number.MAX_SAFE_INTEGER, 'a whole number')
const number = integer(1, Number.MAX_SAFE_INTEGER, 'a whole number from 1')
const day: Check = value => (/^\d{4}-\d\d-\d\d$/.test(String(value)) ? undefined : 'a day as in 2026-11-24')
const scopes: Check = value =>
  typeof value === 'string' && /^[\x21-\x7e]*(?: [\x21-\x7e]+)*$/.test(value) ? undefined : 'a list of scopes'
const stringList = json('a JSON list of strings', isStringList)
const object = json('a JSON object', isObject)
const reviewers = json(
  'a number or a JSON list of addresses',
  value => typeof value === 'number' || isStringList(value),
)
const paths = json('a JSON object with paths', value => {
  const pages = field(value, 'pages')
  return typeof field(value, 'folder') === 'string' && isObject(pages) && Object.values(pages).every(isString)
})
const findings = json('a JSON list of findings', isFindings)
const imported = json('the result of an import', value => {
  // Before the first import, there is only the source.
  const projects = field(value, 'projects')
  const isImported = Array.isArray(projects) && projects.every(isObject) && isFindings(field(value, 'findings'))
  return isObject(value) && (field(value, 'content') === undefined || isImported)
})
const failure = json('the problem of a check', value => {
  const waitMs = field(value, 'waitMs') ?? 0
  return isString(field(value, 'message')) && typeof waitMs === 'number'
})
const settings = json('the settings of an issuer', value => {
  const [way, rules] = [field(value, 'way'), field(value, 'rules')]
  const proxy = ['header', 'jwks', 'audience'].map(key => field(field(way, 'proxy'), key))
  const [domains, emails, groups] = [field(rules, 'domains'), field(rules, 'emails'), field(rules, 'groups')]
  const isWay = isString(field(way, 'clientId')) || proxy.every(isString)
  return isWay && [domains, emails].every(isStringList) && Array.isArray(groups) && groups.every(isObject)
})
const sealed: Check = value =>
  isString(value) && (/^[\w-]+(?:\.[\w-]*){4}$/.test(value) || isSecret(value)) ? undefined : 'a secret'
const edit: Check = value =>
  isString(value) && isEditTemplate(value.slice(value.indexOf(' ') + 1)) ? undefined : 'an address with {path}'

function isString(value: unknown): value is string {
  return typeof value === 'string'
}

function isStringList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isString)
}

const isSecret = (value: string) => isString(field(parsedJson(value), 'secret'))

function isFindings(value: unknown): boolean {
  const isFinding = (each: unknown) => isString(field(each, 'path')) && isString(field(each, 'message'))
  return Array.isArray(value) && value.every(isFinding)
}

function json(text: string, isValid: (value: unknown) => boolean): Check {
  return value => (isValid(parsedJson(String(value))) ? undefined : text)
}

const visibility = oneOf('public', 'private')
const revisions = oneOf('served', 'private')
const event = oneOf('published', 'unpublished', 'deleted')
const otherMessages = ['file.expiring', 'file.expired', 'draft.reviewed', 'plan.ended', 'webhook.test']
const REVIEW_CHECKS = { signed_in: flag, answer: oneOf('approve', 'ask') }
const projects = { projects: stringList, instances: stringList }

/** The checks of tables by column; other columns are checked for bytes, and dates. */
const CHECKS: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  workspace: { theme: object, draft_theme: object },
  project: {
    draft_visibility: visibility,
    draft_revisions: revisions,
    published_visibility: visibility,
    published_revisions: revisions,
    published_revision: number,
    file_key: number,
    source: paths,
    edit,
    draft_findings: findings,
    draft_reviewers: reviewers,
  },
  revision: { number, visibility, revisions, reviewed: object },
  review: REVIEW_CHECKS,
  answer: REVIEW_CHECKS,
  planned_publication: { keeps_workspace: flag, over_requests: stringList, needs: object },
  mail_choice: { kinds: stringList, rights: object },
  mail: { kind: oneOf('draft', 'answer', 'failed'), attempts: count },
  usage: { day, kind: oneOf(...USAGE_KINDS), count },
  client: { scope: scopes, ...projects, redirect_uris: stringList },
  token: { scope: scopes, projects: stringList },
  share: { draft: flag, may_approve: flag },
  signing_key: { private_jwk: anyKey, public_jwk: anyKey },
  signin: { settings },
  session: { ...projects, drafts: flag, manages: object },
  connection: { scope: scopes, ...projects },
  authorization_state: { payload: object },
  event: { type: event, revision: number },
  notice: { until: day, days: integer(0, 30, '30, 7 or 0') },
  webhook: { secret: sealed, old_secret: sealed, disabled_reason: oneOf('gone', 'failing') },
  delivery: {
    type: oneOf('project.published', 'project.unpublished', 'project.deleted', ...otherMessages),
    state: oneOf('waiting', 'delivered', 'failed'),
    attempts: count,
    status: integer(100, 999, 'an HTTP status'),
  },
  change: { event },
  git_source: { imported, failure },
  deleted_project: { last_revision: count, next_file_key: number },
}

/** The tables whose rows `rowProblem` can check. */
export const CHECKED_TABLES: readonly string[] = Object.keys(CHECKS)

/** The start of a value, which may be long, without secrets: only short words and numbers are shown. */
function describe(value: unknown): string {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && /^[\w.-]{0,30}$/.test(value) ? JSON.stringify(value) : 'a value'
}
