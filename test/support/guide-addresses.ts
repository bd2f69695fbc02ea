import assert from 'node:assert/strict'
import { DRAFT_PATH } from '#brand/contract/operations.ts'
import { GUIDE_ROUTES } from '#site/guide-routes.ts'

/** Values for the names in addresses, such as `logo` for `{page}`. */
type Values = Readonly<Record<string, string>>

const START = '/{workspace}/{project}'
const ROWS = GUIDE_ROUTES.filter(({ pattern }) => !pattern.startsWith(START + DRAFT_PATH))

/** An address of each row of a published guide, below that of the guide. */
export function guideAddresses(values: Values): string[] {
  return ROWS.map(({ pattern }) => addressOf(pattern, values))
}

/** An address of each kind of page of a published guide, below that of the guide. */
export function guidePages(values: Values): string[] {
  const pages = ROWS.filter(({ name, pattern }) => (name === 'page' || name === 'search') && !OTHERS.test(pattern))
  return pages.map(({ pattern }) => addressOf(pattern, values))
}

/** Files for programs, and the former address of the home page. */
const OTHERS = /\.\w+$|\/index$/

function addressOf(pattern: string, values: Values): string {
  const fill = (_: string, name: string) => values[name] ?? assert.fail(`no value for ${name} of ${pattern}`)
  return pattern.slice(START.length).replace(/\{(\w+)\}/g, fill)
}
