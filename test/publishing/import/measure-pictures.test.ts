import assert from 'node:assert/strict'
import test from 'node:test'
import { unwrap } from '#program/cli/failure.ts'
import { copyProject } from '#publishing/copy.ts'
import { rollback } from '#publishing/history.ts'
import type { Store } from '#store/store.ts'
import { gc } from '#store/upkeep/gc.ts'
import { UPKEEP } from '../../store/upkeep/options.ts'
import { testService } from '../../support/service.ts'
import { publishedStore, temporaryStore } from '../../support/temporary-store.ts'

const svg = (fill: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 60"><path d="M10 20h180v20H10z" fill="${fill}"/></svg>`
const GUIDE = {
  'guide/project.yaml': 'visibility: public\n',
  'guide/pages/index.md': '# Home\n\n![Mark](../files/mark.svg)\n',
  'guide/files/mark.svg': svg('#fff'),
  'guide/files/broken.svg': '<svg xmlns="http://www.w3.org/2000/svg"><path',
}
const PLATE = /ground-Dark/

const rowsOf = async ({ database }: Store) =>
  (await database.all('SELECT workspace, facts FROM picture_facts ORDER BY workspace, facts')).map(
    ({ workspace, facts }) => `${workspace} ${facts === null ? 'none' : 'facts'}`,
  )

test('each content is measured once, also one that cannot be measured, and gc removes the facts of others', async () => {
  const { store, importing } = await publishedStore('acme/guide', GUIDE)
  const first = ['acme none', 'acme facts']
  assert.deepEqual((await rowsOf(store)).toSorted(), first.toSorted())
  await store.database.run(`UPDATE picture_facts SET facts = '{"look":"opaque"}' WHERE facts IS NOT NULL`)
  await importing('acme', { ...GUIDE, 'guide/files/mark-copy.svg': svg('#fff'), 'guide/files/dark.svg': svg('#000') })
  const looks = await store.database.all(`SELECT facts FROM picture_facts WHERE facts LIKE '%"opaque"%'`)
  assert.deepEqual([looks.length, (await rowsOf(store)).length], [1, 3])
  // Two files that show nothing, with the same content.
  await importing('acme', { ...GUIDE, 'guide/files/mark-copy.svg': 'text', 'guide/files/dark.svg': 'text' })
  await gc(store, { ...UPKEEP, keep: { count: 1 }, isDryRun: false })
  assert.deepEqual((await rowsOf(store)).toSorted(), ['acme facts', 'acme none', 'acme none'])
})

test('copies and rollbacks have the facts of the revision that they show', async () => {
  const temporary = await temporaryStore()
  const { store, importing, publish } = temporary
  await importing('acme', GUIDE)
  await publish('acme/guide')
  await importing('acme', { 'guide/pages/index.md': '# Home\n' })
  await publish('acme/guide')
  const ref = { workspace: 'acme', project: 'guide' }
  unwrap(await rollback(store, ref, 1, new Date()))
  unwrap(await copyProject(store, ref, { workspace: 'other', project: 'guide' }, UPKEEP))
  assert.deepEqual((await rowsOf(store)).filter(row => row.startsWith('other')).toSorted(), [
    'other facts',
    'other none',
  ])
  const { ask } = await testService(temporary)
  for (const workspace of ['acme', 'other']) assert.match((await ask(`/${workspace}/guide`)).text, PLATE, workspace)
})
