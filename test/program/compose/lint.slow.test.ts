import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import type { LintCaller } from '#delivery/agents/tools/tool.ts'
import { openCaches } from '#platform/caches/caches.ts'
import { unwrap } from '#program/cli/failure.ts'
import { openAgentLinter } from '#program/compose/lint.ts'
import { retract } from '#publishing/history.ts'
import { openPointers } from '#serving/pointers/pointers.ts'
import { createListOldFiles } from '#serving/publications/old-files.ts'
import { openPublications } from '#serving/publications/publications.ts'
import { temporaryStore } from '../../support/temporary-store.ts'
import { until } from '../../support/until.ts'

const logo = (fill: string) => `<svg xmlns="http://www.w3.org/2000/svg"><path fill="${fill}" d="M0 0h1v1z"/></svg>`

const temporary = await temporaryStore()
const publish = (visibility: string, fill: string) =>
  temporary.publishing('acme/guide', {
    'guide/project.yaml': `visibility: ${visibility}\nlint: { rules: { color-near: error } }\n`,
    'guide/styles/colors.yaml': '- { name: Ink, hex: "#14212b" }\n',
    'guide/pages/index.md': '[Ink](../styles/colors.yaml#ink)\n',
    'guide/files/logo.svg': logo(fill),
  })
await publish('public', '#14212b')
await publish('private', '#14212c')
await publish('public', '#14212d')

const { database, files } = temporary.store
const agents = openAgentLinter({ listOldFiles: createListOldFiles(database), files })
after(agents.close)

/** Publications share contents, and records last until a workspace changes, as in a service. */
const openPublication = openPublications(database, openCaches())
const pointers = await openPointers(database, openCaches())
const compare = async (
  content: string,
  kind: 'css' | 'html' | 'svg' | 'text',
  oldFiles = true,
  by = agents,
  caller: LintCaller = { network: '192.0.2.1', hasShare: true },
  project = 'guide',
) => {
  await pointers.refresh()
  const publication = openPublication((await pointers.workspace('acme'))?.projects.get(project))
  assert.ok(publication)
  return by.lint(publication, { content, kind, oldFiles }, caller)
}

test('content of an agent is compared with the published brand, with its own levels and pages', async () => {
  const compared = await compare('a { color: #14212c }', 'css')
  assert.ok(compared.ok)
  const [{ message, deltaE, ...finding } = { message: '', deltaE: 9 }, ...others] = compared.value
  assert.deepEqual(others, [])
  assert.deepEqual(finding, {
    severity: 'error',
    rule: 'color-near',
    path: '',
    line: 1,
    column: 12,
    found: '#14212c',
    nearest: 'ink',
    write: '#14212b',
    guide: 'index',
    count: 1,
    value: '#14212c',
  })
})

test('an agent learns only of old files of revisions that were public, and only if it may', async () => {
  const rulesOf = async (fill: string, oldFiles?: boolean) => {
    const compared = await compare(logo(fill), 'svg', oldFiles)
    return compared.ok && compared.value.map(({ rule }) => rule)
  }
  assert.deepEqual(await rulesOf('#14212b'), ['file-old'])
  assert.deepEqual(await rulesOf('#14212b', false), [])
  assert.deepEqual(await rulesOf('#14212c'), ['color-near'])
  assert.deepEqual(await rulesOf('#14212d'), [], "today's file is right as it is")
  assert.deepEqual(await rulesOf('#14212d', false), ['color-near'])
})

test('an agent learns that a drawing is a logo in other colours, if it may know the files', async () => {
  const bars = (fill: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 40"><path fill="${fill}" d="M0 0h8v40H0zM16 0h8v40h-8zM30 16h50v8H30z"/></svg>`
  await temporary.publishing('acme/bars', {
    'bars/project.yaml': 'visibility: public\n',
    'bars/files/logo.svg': bars('#14212b'),
  })
  const logoRules = async (content: string, oldFiles?: boolean) => {
    const compared = await compare(content, 'svg', oldFiles, agents, undefined, 'bars')
    return compared.ok && compared.value.map(({ rule, nearest }) => [rule, nearest])
  }
  assert.deepEqual(await logoRules(bars('#1f5e94')), [['logo-recolored', 'files/logo.svg']])
  assert.deepEqual(await logoRules(bars('#1f5e94'), false), [])
  assert.deepEqual(await logoRules(bars('#14212b').replace('<path', '<path id="a"')), [])
})

test('a content does not wait long for the drawings of old SVGs, and a later one is compared with them', async () => {
  const gate = Promise.withResolvers<void>()
  const open: typeof files.open = async (...place) => {
    await gate.promise
    return files.open(...place)
  }
  const slow = openAgentLinter({ listOldFiles: createListOldFiles(database), files: { open } })
  after(slow.close)
  const saved = logo('#14212b').replace('<path', '<!-- saved --><path')
  assert.deepEqual(await compare('a {}', 'css', true, slow), { ok: true, value: [] })
  const early = await compare(saved, 'svg', true, slow)
  assert.match(early.ok ? '' : early.problem, /^The service is still drawing the old files of the brand\. Try again/)
  gate.resolve()
  const compared = await compare(saved, 'svg', true, slow)
  assert.deepEqual(compared.ok && compared.value.map(({ rule }) => rule), ['file-old'])
})

test('an agent forgets the old files of a retracted revision at once', async () => {
  const rulesOf = async () => {
    const compared = await compare(logo('#14212b'), 'svg')
    return compared.ok && compared.value.map(({ rule }) => rule)
  }
  assert.deepEqual(await rulesOf(), ['file-old'])
  unwrap(await retract(temporary.store, { workspace: 'acme', project: 'guide' }, 1, new Date()))
  assert.deepEqual(await rulesOf(), [])
})

test('readers of a public revision learn of no private one, even with the content of a private one', async () => {
  await publish('private', '#14212e')
  await publish('private', '#14212f')
  const rules = async () => {
    const compared = await compare(logo('#14212e'), 'svg')
    return compared.ok && compared.value.map(({ rule }) => rule).includes('file-old')
  }
  assert.equal(await rules(), true)
  await publish('public', '#14212f')
  assert.equal(await rules(), false)
})

const BUSY = { ok: false, problem: 'The service is busy comparing other content. Try again in a few seconds.' }
const DONE = { ok: true, value: [] }

test('contents without a token wait for each other, and the fourth of a network is told to come back', async () => {
  const anonymous = (network: string) => compare('a {}', 'css', true, agents, { network, hasShare: false })
  const flood = Array.from({ length: 6 }, () => anonymous('192.0.2.9'))
  assert.deepEqual(await Promise.all([...flood, anonymous('192.0.2.10')]), [DONE, DONE, DONE, BUSY, BUSY, BUSY, DONE])
})

test('heavy contents without a token leave a process for those with a token', async () => {
  const busy = openAgentLinter({ listOldFiles: createListOldFiles(database), files })
  after(busy.close)
  const heavy = '<p style="color:#14212c">a</p>'.repeat(6000)
  const flood = Array.from({ length: 9 }, (_, at) =>
    compare(heavy, 'html', true, busy, { network: `192.0.2.${at}`, hasShare: false }),
  )
  const ended = Promise.allSettled(flood)
  await until(() => busy.usage().waiting > 0)
  assert.deepEqual(await compare('a {}', 'css', true, busy), DONE)
  await busy.close()
  await ended
})
