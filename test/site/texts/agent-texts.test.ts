import assert from 'node:assert/strict'
import test from 'node:test'
import { testService } from '../../support/service.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

/** Pages whose lines in the list have about three thousand characters each. */
const PAGES = 2300

test('llms.txt lists as many pages as fit into 6 MiB, and says how many more there are and who has them', async () => {
  const temporary = await temporaryStore()
  const long = '*'.repeat(990)
  const pages = Array.from({ length: PAGES }, (_, at) => [
    `guide/pages/p${at}.md`,
    `---\ntitle: "${at} ${long}"\ndescription: "${long}"\n---\n`,
  ])
  await temporary.importing('acme', { 'guide/project.yaml': 'visibility: public\n', ...Object.fromEntries(pages) })
  await temporary.publish('acme/guide')
  const { ask } = await testService(temporary)
  const { text, bytes } = await ask('/acme/guide/llms.txt')
  const listed = text.match(/^- \[\d/gm)?.length ?? 0
  const [, leftOut] =
    /\n\nThis list omits (\d+) more\. The API and the website have all of them\.\n\n## Optional\n/.exec(text) ?? []
  assert.ok(bytes.length < (6 << 20) + 1000 && bytes.length > (6 << 20) - 10_000, `${bytes.length}`)
  assert.equal(listed + Number(leftOut), PAGES)
})
