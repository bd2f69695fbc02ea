import assert from 'node:assert/strict'
import test from 'node:test'
import { isProjectId } from '../../../src/brand/ids.ts'
import { openCaches } from '../../../src/caches/caches.ts'
import { openPointers } from '../../../src/serving/pointers/pointers.ts'
import { servedRevisions } from '../../../src/serving/publications/revisions.ts'
import { servedKeys } from '../../../src/serving/publications/served-keys.ts'
import { temporaryStore } from '../../support/temporary-store.ts'
import { turnsDuring } from '../../support/turns.ts'

test('the cache keys of very many projects are collected in steps that yield to other work', async () => {
  const temporary = await temporaryStore()
  await temporary.importing('acme', { 'guide/project.yaml': 'revisions: served\n' })
  await temporary.publish('acme/guide')
  const { database } = temporary.store
  const state = await (await openPointers(database, openCaches())).workspace('acme')
  assert.ok(state)
  const published = Array.from({ length: 1000 }, (_, at) => `guide-${at}`).flatMap(project =>
    isProjectId(project) ? state.published.map(record => ({ ...record, project })) : [],
  )
  const revisions = servedRevisions(database)
  const all: typeof revisions.all = record => {
    for (const end = performance.now() + 0.1; performance.now() < end; );
    return revisions.all(record)
  }
  let keys: ReadonlySet<string> = new Set()
  const turns = await turnsDuring(async () => {
    keys = await servedKeys({ ...state, published }, { ...revisions, all }, [])
  })
  assert.equal([...keys].filter(key => key.endsWith(':index')).length, 1)
  assert.ok(turns >= 20, `${turns}`)
})
