import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import test, { after } from 'node:test'
import { fileFindings, NO_BRAND_FILES } from '#delivery/lint/brand-files.ts'
import { NO_BRAND } from '#delivery/lint/brand-of.ts'
import { openLinter } from '#delivery/lint/linter.ts'
import { openLintedBrand } from '#program/compose/lint.ts'
import { createAddresses } from '#serving/addresses.ts'
import { publicationOf } from '../../support/guide.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { publishedStore } from '../../support/temporary-store.ts'

const logo = (fill: string) => `<svg xmlns="http://www.w3.org/2000/svg"><path fill="${fill}" d="M0 0h1v1z"/></svg>`
const FIRST = { 'guide/files/logo.svg': logo('#000000'), 'guide/files/deck.pdf': '%PDF-1.4 one' }
const SECOND = {
  'guide/project.yaml': 'visibility: public\n',
  'guide/files/logo.svg': logo('#cc3a06'),
  'guide/files/photo.txt': 'photo',
  'guide/files/same.txt': 'same',
  'guide/files/same-over.txt': 'same',
  'guide/files/files.yaml': 'photo.txt: { until: 2020-01-31 }\nsame-over.txt: { until: 2020-01-31 }\n',
}

const temporary = await publishedStore('acme/guide', FIRST)
await temporary.publishing('acme/guide', SECOND)
const linter = openLinter({ timeoutMs: PATIENCE_MS })
after(linter.close)

async function findingsOf(content: string, publicUrl: string | undefined, isSvg = false) {
  const { record } = await publicationOf(temporary.store, 'acme', 'guide')
  const urls = publicUrl === undefined ? undefined : createAddresses(publicUrl, temporary.store.identity.fileSecret)
  const { openFiles, brand } = await openLintedBrand(temporary.store, record, urls)
  const hash = createHash('sha256').update(content).digest('hex')
  const drawing = isSvg ? (await linter.facts(Buffer.from(content), 'drawing'))?.drawing : undefined
  const use = { kind: 'file', name: 'a.svg', hash, ...(drawing !== undefined && { drawing }) } as const
  return fileFindings([{ ...use, slide: 2 }, use], await openFiles(linter), { path: 'a.svg', levels: brand.levels })
}

test('an earlier file is named with its last revision and the address of today’s file', async () => {
  const [finding, ...others] = await findingsOf(logo('#000000'), 'https://brand.example')
  assert.deepEqual(others, [])
  const { write = '', message, ...rest } = finding ?? { message: '' }
  const value = 'files/logo.svg'
  const place = { path: 'a.svg', slide: 2, found: 'a.svg', count: 2 }
  assert.deepEqual(rest, { severity: 'warning', rule: 'file-old', ...place, value })
  assert.match(write, /^https:\/\/brand\.example\/acme\/guide\/-\/files\/[\w-]{32}\/logo\.svg$/)
  assert.equal(message, `this file is an earlier files/logo.svg, last in revision 1; use ${write}`)
})

test('an SVG that was only saved in another way is the same file', async () => {
  const saved = logo('#000').replace('<path', '\n<!-- saved --> <path id="x"')
  assert.equal((await findingsOf(saved, undefined, true)).length, 1)
  assert.deepEqual(await findingsOf(logo('#cc3a06'), undefined, true), [])
  assert.deepEqual(await findingsOf(logo('#CC3A06').replace('<path', '<path id="y"'), undefined, true), [])
})

test('a file without a file in its place has no address to use, and one whose licence ended has its last day', async () => {
  await temporary.publishing('acme/guide', { 'guide/pages/index.md': '# New\n' })
  const messages = async (content: string) => (await findingsOf(content, undefined)).map(({ message }) => message)
  assert.deepEqual(await messages('photo'), [
    'this file is files/photo.txt, whose licence ended on 2020-01-31; the brand has no file in its place: remove it',
  ])
  assert.deepEqual(await messages('something else'), [])
  assert.deepEqual(await messages('same'), [])
})

test('a rule that is off gives no finding', async () => {
  const old = { ...NO_BRAND_FILES, byHash: new Map([['x', { path: 'a' }]]) }
  const levels = { ...NO_BRAND.levels, 'file-old': 'off' } as const
  assert.deepEqual(await fileFindings([{ kind: 'file', name: 'a', hash: 'x' }], old, { path: 'a', levels }), [])
})

test('a picture is only measured if a rule about logos is on', async () => {
  let measured = 0
  const inkOf = async () => {
    measured++
    return 'none' as const
  }
  const files = { ...NO_BRAND_FILES, logos: { all: async () => [], inkOf } }
  const picture = { kind: 'file', name: 'a', hash: 'x', picture: new Uint8Array() } as const
  const off = { 'logo-recolored': 'off', 'logo-stretched': 'off', 'logo-small': 'off' } as const
  await fileFindings([picture], files, { path: 'a', levels: { ...NO_BRAND.levels, ...off } })
  assert.equal(measured, 0)
  await fileFindings([picture], files, { path: 'a', levels: { ...NO_BRAND.levels, ...off, 'logo-small': 'warning' } })
  assert.equal(measured, 1)
})
