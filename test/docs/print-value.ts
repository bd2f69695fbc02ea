/** Tests of the print value that CONTRIBUTING.md adds. `contributing.slow.test.ts` runs them in a copy that has it. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { colorFields } from '#delivery/search/index-entries.ts'
import { diff } from '#publishing/diff.ts'
import { readContent } from '#store/catalogue/snapshots.ts'
import { agentTools } from '../support/agent-tools.ts'
import { exportOf } from '../support/exported.ts'
import { testService } from '../support/service.ts'
import { temporaryStore } from '../support/temporary-store.ts'

const temporary = await temporaryStore()
const guide = (values: string) => ({
  'workspace.yaml': 'id: acme\n',
  'guide/project.yaml': 'visibility: public\n',
  'guide/styles/colors.yaml': `- { name: Ink, hex: "#14212b"${values} }\n`,
})
await temporary.publishing('acme/guide', guide(''))
const { findings } = await temporary.importing('acme', guide(', hks: "HKS 13 K"'))
const place = { workspace: 'acme', project: 'guide' }
const changes = await diff(temporary.store, place, 'published', 'draft')
await temporary.publish('acme/guide')
const { ask } = await testService(temporary)
const { token } = await temporary.issue('acme')

test('the reader accepts it, and diff reports it', () => {
  assert.deepEqual(findings, [])
  assert.deepEqual(changes.ok && changes.value.colors, [
    { id: 'ink', change: 'changed', fields: { hks: { from: null, to: 'HKS 13 K' } } },
  ])
})

test('the API omits it', async () => {
  const { status, text } = await ask('/beta/workspace/acme/project/guide/styles', { token })
  assert.deepEqual(
    [status, JSON.parse(text).colors],
    [200, [{ id: 'ink', name: 'Ink', rgb: '20,33,43', hex: '#14212b' }]],
  )
})

test('the website shows it', async () => {
  const { text } = await ask('/acme/guide/-/colors')
  assert.match(text, /<div class="hks"><dt>HKS<\/dt><dd>HKS 13 K</)
  assert.match(text, /class="quiet color-note"/)
})

for (const format of ['dtcg', 'dtcg-legacy', 'css', 'scss', 'csv', 'json', 'design-md', 'skill'])
  test(`an export to ${format} contains it`, async () => {
    const made = await exportOf(temporary, 'acme', format)
    const texts = made.ok ? Array.from(made.value.files.values(), bytes => Buffer.from(bytes).toString()) : []
    assert.ok(texts.some(text => text.includes('HKS 13 K')))
  })

test('a search finds it with and without a space', async () => {
  const { snapshot } = await temporary.publish('acme/guide')
  const { colors } = await readContent(temporary.store.database, 'acme', snapshot)
  const texts = colors.flatMap(color => colorFields(color)).map(({ text }) => text)
  assert.ok(texts.some(text => text.includes('HKS 13 K HKS13K')))
})

test('agents get it', async () => {
  const call = await agentTools(temporary.store, 'acme')
  const [styles, item] = [
    await call('get_styles', { project: 'guide' }),
    await call('fetch', { id: 'color:guide/ink' }),
  ]
  assert.match(JSON.stringify(styles), /"hks":"HKS 13 K".*Print values \(CMYK, Pantone, RAL, HKS, other inks\)/)
  assert.match(JSON.stringify(item), /HKS HKS 13 K/)
})
