import assert from 'node:assert/strict'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { SLOW_TESTS } from './slow-tests.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const all = globSync('test/**/*.test.ts', { cwd: root })
const [slow, others] = [all.filter(isSlow), all.filter(path => !isSlow(path))]

test('each file that npm test leaves out is once in the list, with a reason', () => {
  const listed = SLOW_TESTS.flatMap(({ files }) => files.map(file => `test/${file}`))
  assert.deepEqual(listed.toSorted(), slow.toSorted())
  assert.ok(SLOW_TESTS.every(({ why }) => why.length > 0))
})

test('npm test has tests of each module', () => {
  const modules = readdirSync(`${root}/src`, { withFileTypes: true }).filter(each => each.isDirectory())
  for (const { name } of modules) {
    const ofModule = (path: string) => path.startsWith(`test/${name}/`)
    assert.ok(others.filter(ofModule).length > slow.filter(ofModule).length, name)
  }
})

/** What `npm test` must keep, and a file that has it. */
const KEPT = [
  ['an import, a publication and a read with each database', 'program/compose/agents.test.ts', 'startPostgres'],
  ['the settings of a store on Postgres', 'program/compose/store.test.ts', 'sharedPostgres'],
  ['the journey of a reader in a browser', 'site/search/search.browser.test.ts', 'openPage'],
  ['the journey of a manager in a browser', 'people/manage/routes.browser.test.ts', 'openPage'],
  ['each operation and field of the API', 'delivery/api/bodies.test.ts', 'listFiles'],
  ['what each token may read', 'delivery/api/answer.matrix.test.ts', 'identities'],
  ['the description of the interface', 'brand/contract/openapi.test.ts', 'openapi'],
] as const

for (const [what, path, word] of KEPT)
  test(`npm test has ${what}`, () => assert.ok(readFileSync(`${root}/test/${path}`, 'utf8').includes(word)))

function isSlow(path: string): boolean {
  return path.endsWith('.slow.test.ts')
}
