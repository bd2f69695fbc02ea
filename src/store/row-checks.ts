import { USAGE_KINDS } from '../brand/usage.ts'
import type { Queries, Row } from './database/database.ts'
import type { ContentPlace } from './store-error.ts'

/**
 * Checks the values of a row whose kinds the database does not know: enumerated values, numbers, dates and JSON. Returns
 * the problem, or undefined.
 */
export function rowProblem(table: string, row: Row): string | undefined {
  for (const [column, value] of Object.entries(row)) {
    const check = CHECKS[table]?.[column] ?? (DATE.test(column) ? date : undefined)
    const expected = value === null ? undefined : check?.(value)
    if (expected !== undefined) return `the column ${column} has ${describe(value)}, which is not ${expected}`
  }
  return undefined
}

/** The tables whose rows `rowProblem` can check. */
export const CHECKED_TABLES: readonly string[] = [
  'workspace',
  'project',
  'revision',
  'review',
  'usage',
  'client',
  'token',
  'share',
  'signing_key',
  'signin',
  'session',
  'connection',
  'authorization_state',
  'event',
  'webhook',
  'delivery',
  'change',
  'git_source',
  'deleted_project',
]

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
const flag = integer(0, 1, '0 or 1')
const count = integer(0, Number.MAX_SAFE_INTEGER, 'a whole number')
const number = integer(1, Number.MAX_SAFE_INTEGER, 'a whole number from 1')
const day: Check = value => (/^\d{4}-\d\d-\d\d$/.test(String(value)) ? undefined : 'a day as in 2026-11-24')
const scopes: Check = value =>
  typeof value === 'string' && /^[\x21-\x7e]*(?: [\x21-\x7e]+)*$/.test(value) ? undefined : 'a list of scopes'
const stringList = json(
  'a JSON list of strings',
  value => Array.isArray(value) && value.every(each => typeof each === 'string'),
)
const object = json('a JSON object', value => typeof value === 'object' && value !== null && !Array.isArray(value))
const list = json('a JSON list', Array.isArray)

function json(text: string, isValid: (value: unknown) => boolean): Check {
  return value => {
    try {
      return isValid(JSON.parse(String(value))) ? undefined : text
    } catch {
      return text
    }
  }
}

const visibility = oneOf('public', 'private')
const revisions = oneOf('served', 'private')
const event = oneOf('published', 'unpublished', 'deleted')
const projects = { projects: stringList, instances: stringList }

const CHECKS: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  workspace: { theme: object, draft_theme: object },
  project: {
    draft_visibility: visibility,
    draft_revisions: revisions,
    published_visibility: visibility,
    published_revisions: revisions,
    published_revision: number,
    file_key: number,
    source: object,
    draft_findings: list,
  },
  revision: { number, visibility, revisions },
  review: { signed_in: flag, answer: oneOf('approve', 'ask') },
  usage: { day, kind: oneOf(...USAGE_KINDS), count },
  client: { scope: scopes, ...projects, redirect_uris: stringList },
  token: { scope: scopes, projects: stringList },
  share: { draft: flag, may_approve: flag },
  signin: { settings: object },
  session: { ...projects, drafts: flag, manages: object },
  connection: { scope: scopes, ...projects },
  authorization_state: { payload: object },
  event: { type: event, revision: number },
  webhook: { disabled_reason: oneOf('gone', 'failing') },
  delivery: {
    type: oneOf('project.published', 'project.unpublished', 'project.deleted', 'draft.reviewed', 'webhook.test'),
    state: oneOf('waiting', 'delivered', 'failed'),
    attempts: count,
    status: integer(100, 999, 'an HTTP status'),
  },
  change: { event },
  git_source: { imported: object, failure: object },
  deleted_project: { last_revision: count, next_file_key: number },
}

/** The start of a value, which may be long, without secrets: only short words and numbers are shown. */
function describe(value: unknown): string {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && /^[\w.-]{0,30}$/.test(value) ? JSON.stringify(value) : 'a value'
}
