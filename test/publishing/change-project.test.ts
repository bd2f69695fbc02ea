import assert from 'node:assert/strict'
import test, { before } from 'node:test'
import { unwrap } from '#program/cli/failure.ts'
import { remove, unpublish } from '#publishing/change-project.ts'
import { history } from '#publishing/history.ts'
import { testService } from '../support/service.ts'
import { resultOf, runCommand, temporaryStore } from '../support/temporary-store.ts'

const place = { workspace: 'acme', project: 'guide' }

const temporary = await temporaryStore()
const BRAND = { 'pages/index.md': '[a](../files/a.txt)\n', 'files/a.txt': 'a' }

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

before(async () => {
  for (const project of ['guide', 'other'])
    await temporary.importing(
      'acme',
      Object.fromEntries(Object.entries(BRAND).map(([path, text]) => [`${project}/${path}`, text])),
    )
  for (const project of ['guide', 'other']) await temporary.publish(`acme/${project}`)
})

test('files rotate invalidates the file links of a project, and API replies contain new ones', async () => {
  const { ask, follow } = await testService(temporary)
  const { token } = await temporary.issue('acme')
  const linkOf = async (project: string) => {
    const { text } = await ask(`/beta/workspace/acme/project/${project}/files`, { token })
    return new URL(JSON.parse(text).files[0].url).pathname
  }
  const statusOf = async (path: string) => (await ask(path)).status
  const projectOf = async () => (await ask('/beta/workspace/acme/project/guide', { token })).text
  const [before, other, project] = [await linkOf('guide'), await linkOf('other'), await projectOf()]
  const rotated = await resultOf(temporary.folder, ['files', 'rotate', 'acme/guide'])
  assert.deepEqual(rotated, { workspace: 'acme', project: 'guide', done: true })
  await follow()
  const after = await linkOf('guide')
  assert.notEqual(after, before)
  assert.deepEqual([await statusOf(before), await statusOf(after), await statusOf(other)], [404, 200, 200])
  const { text } = await ask('/beta/workspace/acme/project/guide/page/index', { token })
  assert.ok(JSON.parse(text).content.includes(`${after})`))
  assert.equal(await projectOf(), project)
})

test('files rotate of an unknown project fails with a clear message', async () => {
  const ran = await runCommand(temporary.folder, ['files', 'rotate', 'acme/nope'])
  const message = `there is no project "acme/nope": import its folder first, or see \`housestyle status\`; this store is ${temporary.data}`
  assert.deepEqual(ran, { exitCode: 1, out: '', err: `housestyle: ${message}\n` })
})
