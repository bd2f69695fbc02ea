import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import test from 'node:test'
import { METRICS } from '../../src/telemetry/metrics-table.ts'
import { runningService } from '../support/running.ts'
import { temporaryStore } from '../support/temporary-store.ts'

const root = new URL('../../', import.meta.url)
const textOf = (path: string) => readFileSync(new URL(path, root), 'utf8')

test('every metric in the documentation exists', () => {
  const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: root })
  const unknown = pages.flatMap(path =>
    [...textOf(path).matchAll(/\bhousestyle_[a-z_]+/g)]
      .filter(([name]) => !Object.hasOwn(METRICS, name))
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
