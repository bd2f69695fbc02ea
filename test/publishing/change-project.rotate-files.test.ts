import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { resultOf, runCommand } from '../support/run-command.ts'
import { testService } from '../support/service.ts'
import { temporaryStore } from '../support/temporary-store.ts'

const temporary = await temporaryStore()
const BRAND = { 'pages/index.md': '[a](../files/a.txt)\n', 'files/a.txt': 'a' }

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
