import assert from 'node:assert/strict'
import test from 'node:test'
import { unwrap } from '#program/cli/failure.ts'
import { remove, unpublish } from '#publishing/change-project.ts'
import { history } from '#publishing/history.ts'
import { testService } from '../support/service.ts'
import { temporaryStore } from '../support/temporary-store.ts'

const place = { workspace: 'acme', project: 'guide' }

for (const [name, work, links] of [
  ['unpublished', unpublish, 'work again'],
  ['deleted', remove, 'stay invalid'],
] as const)
  test(`a project that was ${name} is not served, its next revision has the next number, and old file links ${links}`, async () => {
    const temporary = await temporaryStore()
    const { store } = temporary
    const brand = {
      'guide/project.yaml': 'visibility: public\n',
      'guide/pages/index.md': '# Guide\n',
      'guide/files/a.txt': 'a',
    }
    await temporary.publishing('acme/guide', brand)
    const { ask, follow } = await testService(temporary)
    const { token } = await temporary.issue('acme')
    const base = '/beta/workspace/acme/project/guide'
    const fileLink = async () => {
      const { files } = JSON.parse((await ask(`${base}/files`, { token })).text)
      return new URL(files[0].url).pathname
    }
    const file = await fileLink()
    const paths = [base, `${base}/pages`, `${base}/files`, `${base}/styles`, '/acme/guide']
    const statuses = () => Promise.all([...paths, file].map(async path => (await ask(path, { token })).status))
    assert.deepEqual(new Set(await statuses()), new Set([200]))
    unwrap(await work(store, place, new Date()))
    await follow()
    assert.deepEqual(new Set(await statuses()), new Set([404]))
    await temporary.importing('acme', brand)
    assert.equal((await temporary.publish('acme/guide')).revision, 2)
    assert.equal(unwrap(await history(store, place)).length, name === 'deleted' ? 1 : 2)
    await follow()
    const again = await fileLink()
    assert.deepEqual(await statuses(), [...paths.map(() => 200), name === 'deleted' ? 404 : 200])
    assert.deepEqual([again === file, (await ask(again)).status], [name !== 'deleted', 200])
  })
