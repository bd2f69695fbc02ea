import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import test from 'node:test'
import { METRICS } from '#platform/telemetry/metrics-table.ts'
import { runningService } from '../support/service.ts'
import { temporaryStore } from '../support/temporary-store.ts'

const root = new URL('../../', import.meta.url)
const textOf = (path: string) => readFileSync(new URL(path, root), 'utf8')

/** The names of cookies, without prefix and the ids at the end, except the one that a library would use for its sessions. */
const COOKIES = globSync('src/{serving/access,people}/**/*.ts', { cwd: root })
  .flatMap(path => Array.from(textOf(path).matchAll(/['}](housestyle[_-][a-z_]+)['`]/g), ([, name = '']) => name))
  .filter(name => name !== 'housestyle-unused')

test('every metric in the documentation exists', () => {
  const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: root })
  const unknown = pages.flatMap(path =>
    [...textOf(path).matchAll(/\bhousestyle_[a-z_]+/g)]
      .filter(([name]) => !Object.hasOwn(METRICS, name) && !COOKIES.some(cookie => name.startsWith(cookie)))
      .map(([name]) => `${path}: ${name}`),
  )
  assert.deepEqual(unknown, [])
})

test('docs/api.md explains the codes in the header and the body of a 401 for a bad token', async () => {
  const service = await runningService(await temporaryStore())
  const reply = await fetch(`http://127.0.0.1:${service.port}/beta/workspace/acme`, {
    headers: { authorization: 'Bearer bad' },
  })
  const [, inHeader = ''] = /error="(\w+)"/.exec(reply.headers.get('www-authenticate') ?? '') ?? []
  const { error } = JSON.parse(await reply.text())
  assert.deepEqual([reply.status, inHeader, error], [401, 'invalid_token', 'invalid_client'])
  const [explained = ''] = /^A 401 gives .*$/m.exec(textOf('docs/api.md')) ?? []
  for (const code of [inHeader, error]) assert.ok(explained.includes(code), `${code} is missing`)
})

test('docs/metrics.md lists the tasks of all pools of processes', () => {
  const tasks = globSync('src/**/*.ts', { cwd: root }).flatMap(path =>
    [...textOf(path).matchAll(/new Pool<.*>\(\{\n\s*name: '(\w+)'/g)].map(([, name]) => name),
  )
  const [line = ''] = /^- `task`: .*$/m.exec(textOf('docs/metrics.md')) ?? []
  const listed = [...line.matchAll(/`(\w+)` \(/g)].map(([, name]) => name)
  assert.ok(tasks.length >= 6)
  assert.deepEqual(listed.toSorted(), tasks.toSorted())
})

test('docs/for-buyers.md lists every cookie', () => {
  const [, table = ''] = /^\| cookie \|.*\n((?:\|.*\n)+)/m.exec(textOf('docs/for-buyers.md')) ?? []
  assert.ok(new Set(COOKIES).size >= 7)
  const unexpected = COOKIES.filter(name => !table.includes(name))
  assert.deepEqual(unexpected, [])
})

test('docs/for-buyers.md sorts every table by whether it has data about people', () => {
  const page = textOf('docs/for-buyers.md')
  const [, people = ''] = /^\| purpose \|.*\n((?:\|.*\n)+)/m.exec(page) ?? []
  const [others = ''] = /^- Tables without data about people: .*?\./m.exec(page) ?? []
  using database = new DatabaseSync(':memory:')
  for (const path of globSync('migrations/*.sql', { cwd: root }).sort()) database.exec(textOf(path))
  const columns = database
    .prepare('SELECT t.name AS "table", c.name AS "column" FROM sqlite_master t, pragma_table_info(t.name) c')
    .all()
    .map(row => ({ table: `\`${row.table}\``, column: `${row.column}` }))
  assert.ok(columns.length > 200)
  const wrong = columns.filter(({ table, column }) =>
    ABOUT_PEOPLE.test(column) ? !people.includes(table) : people.includes(table) === others.includes(table),
  )
  assert.deepEqual(wrong, [])
})

/** Columns whose table has data about people. */
const ABOUT_PEOPLE = /^(?:email|who|subject|maker|maker_email|made_by|dismissed_by|issuer_tokens)$/
