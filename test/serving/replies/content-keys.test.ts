import assert from 'node:assert/strict'
import test from 'node:test'
import { testService } from '../../support/service.ts'
import { folderWith } from '../../support/temporary.ts'
import { resultOf, runCommand, temporaryStore } from '../../support/temporary-store.ts'

const TAGS = ['cache-tag', 'surrogate-key'] as const

test('pages, files and archives of a guide name its project and revision, but errors and other pages do not', async () => {
  const temporary = await temporaryStore()
  const page = (text: string) => ({
    'guide/project.yaml': 'visibility: public\n',
    'guide/pages/index.md': `# ${text}\n`,
    'guide/files/a.txt': 'a',
  })
  await temporary.publishing('acme/guide', page('One'))
  await temporary.publishing('acme/guide', page('Two'))
  const { token } = await temporary.issue('acme')
  const { ask } = await testService(temporary, { cacheTags: true })
  const { files } = JSON.parse((await ask('/beta/workspace/acme/project/guide/files', { token })).text)
  const file = new URL(files[0].url).pathname
  for (const path of ['/acme/guide', '/acme/guide.md', '/acme/guide/-/colors', '/acme/guide/-/files.zip', file]) {
    const { headers, status } = await ask(path)
    assert.equal(status, 200, path)
    const found = TAGS.map(name => headers.get(name))
    assert.deepEqual(found, ['acme/guide,acme/guide@2', 'acme/guide acme/guide@2'], path)
    const unchanged = await ask(path, { headers: { 'if-none-match': headers.get('etag') ?? '' } })
    if (headers.has('etag')) assert.deepEqual([unchanged.status, unchanged.headers.get('cache-tag')], [304, found[0]])
  }
  for (const path of ['/acme/guide/nothing', '/acme/nothing', '/', '/assets/page.css', '/beta/workspace/acme']) {
    const { headers } = await ask(path, path.startsWith('/beta') ? { token } : {})
    for (const name of TAGS) assert.equal(headers.get(name), null, `${path} ${name}`)
  }
  const { headers } = await (await testService(temporary)).ask('/acme/guide')
  for (const name of TAGS) assert.equal(headers.get(name), null)
})

test('--cache-tags is on without a value, and rejects others', async () => {
  const folder = await folderWith({ 'acme/guide/pages/index.md': '# Guide\n' })
  await resultOf(folder, ['import', 'acme'])
  const { exitCode, err } = await runCommand(folder, ['serve', '--cache-tags', 'maybe', '--port', '0'])
  assert.deepEqual([exitCode, err], [2, 'housestyle: --cache-tags: "maybe" is not on or off\n'])
})
