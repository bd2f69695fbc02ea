import assert from 'node:assert/strict'
import test from 'node:test'
import { lines, read } from './reading.ts'

const ORIGINAL = {
  'guide/pages/index.md': '# Welcome\n',
  'guide/styles/colors.yaml': '- { name: Signal, hex: "#c8102e" }\n',
  'guide/files/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
}
const PAGE =
  '---\nground: signal\n---\n# Willkommen\n\n![Ring](../files/logo.svg) [Rot](../styles/colors.yaml#signal)\n'
const SETTINGS = 'lang: de\ntranslationOf: guide\n'

test('links, grounds and the theme of a translation may name the styles and files of its original', async () => {
  const theme = 'theme: { accent: signal, logo: files/logo.svg }\n'
  const translation = { 'a-de/project.yaml': SETTINGS + theme, 'a-de/pages/index.md': PAGE }
  const { findings, drafts, projects } = await read({ ...ORIGINAL, ...translation })
  assert.deepEqual([lines(findings), projects], [[], ['guide', 'a-de']])
  const [original, draft] = drafts
  assert.deepEqual([draft?.colors, draft?.types], [original?.colors, original?.types])
  assert.deepEqual(
    draft?.files,
    original?.files.map(file => ({ ...file, isInherited: true })),
  )
})

test('a translation describes the folders of its original itself, and only its own files', async () => {
  const { findings, drafts } = await read({
    ...ORIGINAL,
    'guide/files/marks/ring.svg': ORIGINAL['guide/files/logo.svg'],
    'guide/files/files.yaml': 'folders: { marks: { title: Marks } }\n',
    'de/project.yaml': SETTINGS,
    'de/pages/index.md': PAGE,
    'de/files/files.yaml': 'logo.svg: Ring\nfolders:\n  marks: { title: Zeichen }\n  gone: { title: Weg }\n',
  })
  const missing = 'warning file-described-missing'
  assert.deepEqual(lines(findings), [`de/files/files.yaml:1 ${missing}`, `de/files/files.yaml:4 ${missing}`])
  assert.deepEqual(drafts[1]?.folders, [{ path: 'files/marks', title: 'Zeichen' }])
})

test('a page of a translation may link to a page that is not translated, and to those that are, by either file name', async () => {
  const original = { ...ORIGINAL, 'guide/pages/logo.md': '# Logo\n', 'guide/pages/film.md': '# Film\n' }
  const { findings, drafts } = await read({
    ...original,
    'de/project.yaml': SETTINGS,
    'de/pages/zeichen.md': '---\nid: logo\n---\n# Zeichen\n\n[a](film.md) [b](logo.md) [c](zeichen.md) [d](gone.md)\n',
  })
  const missing = 'de/project.yaml:2 warning translation-missing'
  assert.deepEqual(lines(findings), ['de/pages/zeichen.md:6 warning link-broken', missing, missing])
  const seen = drafts[1]?.pages[0]?.links.map(({ to }) => to.page)
  assert.deepEqual(seen, ['film', 'logo', 'logo'])
})

test('the order of pages of a translation may name pages that are not translated yet', async () => {
  const { findings, drafts } = await read({
    ...ORIGINAL,
    'guide/pages/film.md': '# Film\n',
    'de/project.yaml': `${SETTINGS}pages: [film, index, gone]\n`,
    'de/pages/index.md': PAGE,
  })
  const expected = ['de/project.yaml:2 warning translation-missing', 'de/project.yaml:3 warning page-listed-missing']
  assert.deepEqual(lines(findings), expected)
  assert.match(findings[1]?.message ?? '', /"gone"/)
  const ids = drafts[1]?.pages.map(({ id }) => id)
  assert.deepEqual(ids, ['index'])
})

test('what the styles and files of an original lack is not reported for its translations too', async () => {
  const lacking = { 'guide/styles/types.yaml': '- { name: Body, family: Gone }\n' }
  const translation = { 'de/project.yaml': SETTINGS, 'de/pages/index.md': PAGE }
  const { findings } = await read({ ...ORIGINAL, ...lacking, ...translation })
  assert.deepEqual(lines(findings), ['guide/styles/types.yaml:1 warning font-family-missing'])
})

for (const [settings, message] of [
  [
    'lang: de\ntranslationOf: guid\n',
    /"translationOf" is "guid", which is not another project of this folder.*"guide"/,
  ],
  ['lang: de\ntranslationOf: de\n', /"translationOf" is "de", which is not another project of this folder/],
  ['translationOf: guide\n', /"translationOf" is "guide", which needs the language of the translation: add "lang"/],
  ['lang: fr\ntranslationOf: fr\n', /"translationOf" is "fr", which is itself a translation; name its original/],
  [
    'lang: de\ntranslationOf: fr\n',
    /"translationOf" is "fr", which is itself a translation; name its original, "guide"/,
  ],
  [`${SETTINGS}visibility: public\n`, /the project is public, but its original guide is private: make both public/],
] as const)
  test(`a translation whose settings are ${JSON.stringify(settings)} is not imported`, async () => {
    const others = { 'fr/project.yaml': 'lang: fr\ntranslationOf: guide\n', 'fr/pages/index.md': '# Bienvenue\n' }
    const contents = { ...ORIGINAL, ...others, 'de/project.yaml': settings, 'de/pages/index.md': '# Willkommen\n' }
    const { findings, drafts } = await read(contents)
    const [finding] = findings
    assert.equal(findings.length, 1)
    assert.equal(finding?.path, 'de/project.yaml')
    assert.equal(finding?.line, settings.split('\n').findIndex(line => line.startsWith('translationOf')) + 1)
    assert.match(finding?.message ?? '', message)
    const projects = drafts.map(({ project }) => project)
    assert.deepEqual(projects, ['guide', 'fr'])
  })

test('a page is stale if its mark is any text but the current mark', async () => {
  const staleWith = async (mark: string) => {
    const page = `---\ntranslated: ${mark}\n---\n# Willkommen\n`
    const { findings } = await read({ ...ORIGINAL, 'de/project.yaml': SETTINGS, 'de/pages/index.md': page })
    return lines(findings)
  }
  for (const mark of ['deadbeef', '0'.repeat(64), '2026-01-31', 'no'])
    assert.deepEqual(await staleWith(mark), ['de/pages/index.md:2 warning translation-stale'], mark)
})

test('a translation with the language of its original or of another translation is not imported', async () => {
  const contents = Object.fromEntries(
    Object.entries({ at: 'de', de: 'DE', gb: 'en-GB', uk: 'en' }).flatMap(([project, lang]) => [
      [`${project}/project.yaml`, `translationOf: guide\nlang: ${lang}\n`],
      [`${project}/pages/index.md`, '# Home\n'],
    ]),
  )
  const { findings, drafts } = await read({ ...ORIGINAL, 'guide/project.yaml': 'lang: en\n', ...contents })
  const seen = findings.map(({ rule, path, message }) => [rule, path, message])
  assert.deepEqual(seen, [
    ['translation-original', 'de/project.yaml', '"lang" is de, the language of at already: write another one'],
    ['translation-original', 'uk/project.yaml', '"lang" is en, the language of guide already: write another one'],
  ])
  const projects = drafts.map(({ project }) => project)
  assert.deepEqual(projects, ['guide', 'at', 'gb'])
})

test('a translation whose folder is read alone, or that misnames its original, is told what to do', async () => {
  const messages = async (folder: Record<string, string>) =>
    (await read(folder)).findings.map(({ message }) => message.replace(/^.*; /, ''))
  const alone = { 'project.yaml': SETTINGS, 'pages/index.md': '# Willkommen\n' }
  assert.deepEqual(await messages(alone), ['name the folder that contains both'])
  const ownName = { ...alone, 'project.yaml': `id: guide-de\n${SETTINGS}` }
  assert.deepEqual(await messages(ownName), ['name the folder that contains both'])
  const another = {
    ...ORIGINAL,
    'guide-fr/project.yaml': 'lang: fr\ntranslationOf: guide\n',
    'guide-fr/pages/index.md': '# Bienvenue\n',
    'fi/project.yaml': 'lang: fi\ntranslationOf: guide-fe\n',
    'fi/pages/index.md': '# Tervetuloa\n',
  }
  assert.doesNotMatch(`${await messages(another)}`, /guide-f/)
})

test('a language in which the website has no words is reported once', async () => {
  const project = { 'project.yaml': 'lang: nb\n', 'pages/index.md': '# Velkommen\n' }
  const folders = ['a', 'b'].flatMap(folder =>
    Object.entries(project).map(([path, text]) => [`${folder}/${path}`, text]),
  )
  const { findings } = await read(Object.fromEntries(folders))
  const message = '"lang" is nb, in which the website has no words, so its labels are English: nothing has to change'
  const at = { severity: 'warning', rule: 'language-words', project: 'a', path: 'a/project.yaml', line: null }
  assert.deepEqual(findings, [{ ...at, message }])
})
