import assert from 'node:assert/strict'
import test from 'node:test'
import { openCheck } from '#publishing/git/edit/check.ts'
import { openEdits } from '#publishing/git/edit/edits.ts'
import { type ChangedTexts, editClone, editOf } from '#test/support/edit-clone.ts'
import { startGitServer } from '#test/support/git-server.ts'
import { temporaryFolder } from '#test/support/temporary.ts'

const server = await startGitServer()
const page = (id: string) => `---\ntitle: ${id}\n---\n\n# ${id}\n`
const GUIDE = {
  'workspace.yaml': 'id: acme\n',
  'guide/project.yaml': 'id: guide\nname: Guide\ntheme:\n  accent: signal\n',
  'guide/pages/index.md': '# Home\n',
  'guide/pages/alpha.md': page('Alpha'),
  'guide/pages/kappa.md': page('Kappa'),
  'guide/styles/colors.yaml': '- { name: Ink, hex: "#000000" }\n- { name: Signal, hex: "#c2410c" }\n',
}

const withId = (id: string) => page('Alpha').replace('---\n\n', `id: ${id}\n---\n\n`)
const CLASHES: Readonly<Record<string, [texts: ChangedTexts, places: readonly string[]]>> = {
  'the id of another page': [
    { 'guide/pages/alpha.md': [page('Alpha'), withId('kappa')] },
    ['guide/pages/alpha.md', 'guide/pages/kappa.md'],
  ],
  'no colour that the theme names': [
    { 'guide/styles/colors.yaml': [GUIDE['guide/styles/colors.yaml'], '- { name: Ink, hex: "#000000" }\n'] },
    ['guide/project.yaml'],
  ],
}
for (const [name, [texts, places]] of Object.entries(CLASHES))
  test(`a save that leaves a guide with ${name} is not pushed, and names the places`, async () => {
    const { save, head } = await edited(GUIDE)
    const before = await head()
    const saved = await save(texts)
    assert.ok(saved.ok && saved.value.outcome === 'invalid')
    assert.deepEqual(saved.value.findings.map(({ path }) => path).toSorted(), places)
    assert.equal(await head(), before)
    assert.ok((await save({ 'guide/pages/index.md': ['# Home\n', '# Welcome\n'] })).ok)
    assert.notEqual(await head(), before)
  })

test('of two people who give a page the same id at once, one is saved and the other learns why not', async () => {
  const { save, repository } = await edited(GUIDE)
  const kappa = page('Kappa').replace('---\n\n', 'id: omega\n---\n\n')
  const saves = [
    save({ 'guide/pages/index.md': ['# Home\n', '# Welcome\n'] }, 'save-1'),
    save({ 'guide/pages/alpha.md': [page('Alpha'), withId('omega')] }, 'save-2'),
    save({ 'guide/pages/kappa.md': [page('Kappa'), kappa] }, 'save-3'),
  ]
  const outcomes = (await Promise.all(saves)).map(each => each.ok && each.value.outcome)
  assert.deepEqual(outcomes, ['saved', 'saved', 'invalid'])
  assert.equal(await repository.git(['rev-list', '--count', 'main']), '3')
})

test('a workspace may have the name of a folder of the check', async () => {
  const { save } = await edited({ ...GUIDE, 'workspace.yaml': 'id: added\n' })
  const saved = await save({ 'guide/pages/alpha.md': [page('Alpha'), withId('kappa')] })
  assert.ok(saved.ok && saved.value.outcome === 'invalid')
})

test('errors that a guide has already prevent no save, also on another line, and their correction is saved', async () => {
  const broken = {
    ...GUIDE,
    'guide/pages/alpha.md': withId('kappa'),
    'guide/styles/colors.yaml': '- { name: Ink, hex: x }\n',
  }
  const { save } = await edited(broken)
  const shifted = '- { name: Paper, hex: "#ffffff" }\n- { name: Ink, hex: x }\n'
  const first = await save({ 'guide/styles/colors.yaml': ['- { name: Ink, hex: x }\n', shifted] }, 'save-1')
  assert.ok(first.ok && first.value.outcome === 'saved')
  const right = await save({ 'guide/pages/alpha.md': [withId('kappa'), page('Alpha')] }, 'save-2')
  assert.ok(right.ok && right.value.outcome === 'saved')
  const again = await save({ 'guide/pages/alpha.md': [page('Alpha'), withId('kappa')] }, 'save-3')
  assert.ok(again.ok && again.value.outcome === 'invalid')
})

test('of many errors in long lines, the first are told, once for each save', async () => {
  const rules = `${GUIDE['guide/project.yaml']}rules: { link-heading-missing: error }\n`
  const headings = Array.from({ length: 80 }, (_, at) => `## Part ${at}\n`).join('\n')
  const links = Array.from({ length: 80 }, (_, at) => `[${at}](voice.md#part-${at})`).join(' ')
  const { save } = await edited({
    ...GUIDE,
    'guide/project.yaml': rules,
    'guide/pages/voice.md': headings,
    'guide/pages/index.md': `# Home\n\n${links} ${'x'.repeat(500_000)}\n`,
  })
  const saved = await save({ 'guide/pages/voice.md': [headings, '# Voice\n'] })
  assert.ok(saved.ok && saved.value.outcome === 'invalid')
  assert.equal(saved.value.findings.length, 50)
})

test('files and folders are added, removed and replaced by each other between checks', async () => {
  const { save } = await edited(GUIDE)
  const steps: ChangedTexts[] = [
    { 'guide/pages/new/one.md': [undefined, page('One')] },
    { 'guide/pages/new/one.md': [page('One'), undefined], 'guide/pages/alpha.md': [page('Alpha'), undefined] },
    { 'shop/project.yaml': [undefined, 'id: shop\n'], 'shop/pages/index.md': [undefined, '# Shop\n'] },
    { 'shop/project.yaml': ['id: shop\n', undefined], 'shop/pages/index.md': ['# Shop\n', undefined] },
  ]
  for (const [at, texts] of steps.entries()) {
    const saved = await save(texts, `save-${at}`)
    assert.ok(saved.ok && saved.value.outcome === 'saved', `step ${at}`)
  }
})

test('a change that ends the check is refused, and a head that cannot be checked prevents no save', async () => {
  const { save, unchecked, head } = await edited({ ...GUIDE, 'workspace.yaml': 'name: Nothing\n' })
  const before = await head()
  const saved = await save({ 'guide/pages/index.md': ['# Home\n', '# Welcome\n'] })
  assert.ok(saved.ok && saved.value.outcome === 'saved')
  assert.notEqual(await head(), before)
  assert.equal(unchecked.length, 1)
  const other = await edited(GUIDE)
  const refused = await other.save({ 'workspace.yaml': ['id: acme\n', undefined] })
  assert.ok(!refused.ok)
  assert.equal(refused.problem.code, 'edit_unchecked')
})

async function edited(files: Readonly<Record<string, string>>) {
  const repository = await server.make(`brand-${made++}`)
  await repository.commit(files)
  const ending = new AbortController()
  test.after(() => ending.abort())
  const { signal } = ending
  const unchecked: string[] = []
  const clone = await editClone(repository.url, { signal })
  const check = openCheck({
    source: clone.source,
    home: await temporaryFolder(),
    maxGit: clone.maxGit,
    caps: { maxFile: 1 << 30, maxItems: 10_000 },
    signal,
    unchecked: reason => void unchecked.push(reason),
  })
  const edits = openEdits({ ...clone, check })
  const save = (texts: ChangedTexts, saveId = 'save-1') => edits.save(editOf(texts, { saveId }))
  return { repository, save, unchecked, head: () => repository.git(['rev-parse', 'main']) }
}

let made = 0
