import assert from 'node:assert/strict'
import test from 'node:test'
import { findingLines } from '../../support/problems.ts'
import { type Contents, folderWith } from '../../support/temporary.ts'
import { lines, read, readAt } from '../reading.ts'

/** A project that names two colours and a type style in many places. */
const FOLDER = {
  'project.yaml': 'theme: { accent: ink, text: ink, ground: paper, heading: title }\n',
  'pages/index.md':
    '---\nground: ink\ncover: paper\n---\n[Ink](../styles/colors.yaml#ink), [dark](../styles/colors.yaml#dark), [all](../styles/colors.yaml)\n',
  'files/files.yaml': 'a.txt: { ground: ink }\n',
  'files/a.txt': 'a',
  'styles/colors.yaml':
    '- { name: Ink, hex: "#16202c", group: Dark }\n- { name: Paper, hex: "#fff", on: ink }\n- { name: Slate, hex: "#456", tintOf: ink }\n',
  'styles/types.yaml': '- name: Title\n  size: 16\n',
}

/** The folder with other colours. */
const withColors = (colors: string): Contents => ({ ...FOLDER, 'styles/colors.yaml': colors })
const { 'styles/colors.yaml': COLORS, ...WITHOUT_COLORS } = FOLDER
const REST = '- { name: Paper, hex: "#fff", on: ink }\n- { name: Slate, hex: "#456", tintOf: ink }\n'

/** The contents of a folder with a mistake, and its findings. */
const mistakes: Readonly<Record<string, [contents: Contents, ...found: string[]]>> = {
  'no mistake': [FOLDER],
  'a colour without quotes': [
    withColors(`- name: Ink\n  group: Dark\n  hex: #16202c\n${REST}`),
    'styles/colors.yaml:3 error value-unquoted',
  ],
  'a misspelt required key': [
    withColors(`- { nmae: Ink, hex: "#16202c", group: Dark }\n${REST}`),
    'styles/colors.yaml:1 error key-unknown',
  ],
  'a misspelt hex': [
    withColors(`- { name: Ink, hexx: "#16202c", group: Dark }\n${REST}`),
    'styles/colors.yaml:1 error key-unknown',
  ],
  'a colour without a key': [withColors(`- Ink\n${REST}`), 'styles/colors.yaml:1 error value-invalid'],
  'a wrong pinned id': [
    withColors(`- { id: Ink, name: Black, hex: "#16202c", group: Dark }\n${REST}`),
    'styles/colors.yaml:1 error id-invalid',
  ],
  'a wrong pinned id of a colour that others refer to by its name': [
    withColors(`- { id: In k, name: Ink, hex: "#16202c", group: Dark }\n${REST}`),
    'styles/colors.yaml:1 error id-invalid',
  ],
  'colours in a mapping': [withColors('Ink: "#16202c"\n'), 'styles/colors.yaml:1 error value-invalid'],
  'an alias': [withColors(`- { name: &a Ink, hex: "#16202c" }\n${REST}`), 'styles/colors.yaml:1 error yaml-alias'],
  'an empty list of colours': [withColors('# None yet\n'), 'styles/colors.yaml: error styles-empty'],
  'a list of no colours': [withColors('[]\n'), 'styles/colors.yaml: error styles-empty'],
  'a misspelt list': [
    { ...WITHOUT_COLORS, 'styles/colours.yaml': COLORS },
    'styles/colours.yaml: error styles-misplaced',
  ],
  'a list in another language': [
    { ...WITHOUT_COLORS, 'styles/farben.yaml': COLORS },
    'styles/farben.yaml: error not-read',
  ],
  'a folder in styles/': [{ ...WITHOUT_COLORS, 'styles/brand/colors.yaml': COLORS }, 'styles/brand: error not-read'],
  'a misspelt styles folder next to the real one': [
    { ...WITHOUT_COLORS, 'Styles/colors.yaml': COLORS },
    'Styles: error not-read',
  ],
  'a missing dash': [
    withColors('- name: Ink\n  hex: "#16202c"\n  group: Dark\n  name: Paper\n  hex: "#fff"\n'),
    'styles/colors.yaml:4 error yaml-syntax',
  ],
  'names that are cut before #': [
    withColors(`${COLORS}- name: Tint #1\n  hex: "#123"\n- name: Tint #2\n  hex: "#124"\n  on: tint-1\n`),
    'styles/colors.yaml:4 error value-cut',
    'styles/colors.yaml:6 warning value-cut',
  ],
  'a misspelt styles folder': [
    Object.fromEntries(Object.entries(FOLDER).map(([path, text]) => [path.replace(/^styles/, 'Styles'), text])),
    'Styles: error not-read',
  ],
}
for (const [what, [contents, ...found]] of Object.entries(mistakes))
  test(`${what} in a folder whose files refer to it gives ${found.length} findings`, async () =>
    assert.deepEqual(lines((await read(contents)).findings), found))

test('a colour with an error does not hide a reference to another that is missing', async () => {
  const { findings } = await read({
    'project.yaml': 'theme: { accent: ink, text: sea }\n',
    'styles/colors.yaml': '- name: Ink\n  hex: #16202c\n',
  })
  assert.deepEqual(lines(findings), [
    'styles/colors.yaml:2 error value-unquoted',
    'project.yaml:1 error reference-missing',
  ])
})

test('a misspelt list next to the real one does not hide a missing reference', async () => {
  const { findings } = await read({
    ...FOLDER,
    'styles/colors.yaml': '- { name: Ink, hex: "#16202c", group: Dark }\n',
    'styles/colours.yaml': COLORS,
  })
  assert.deepEqual(lines(findings), [
    'pages/index.md:3 warning cover-unknown',
    'project.yaml:1 error reference-missing',
    'styles/colours.yaml: warning not-read',
  ])
})

test('a cause whose rule is off hides nothing', async () => {
  const { findings } = await read({
    'project.yaml': 'theme: { accent: ink }\nrules: { value-unquoted: off }\n',
    'styles/colors.yaml': '- name: Ink\n  hex: #16202c\n',
  })
  assert.deepEqual(lines(findings), ['project.yaml:1 error reference-missing'])
})

test('a cause is an error only if one of its consequences is an error', async () => {
  const link = { 'pages/index.md': '[All](../styles/colors.yaml)\n' }
  const misspelt = await read({ ...link, 'Styles/colors.yaml': COLORS })
  assert.deepEqual(findingLines(misspelt.findings), ['Styles: warning not-read: is not read; did you mean styles/?'])
  assert.equal(misspelt.drafts.length, 1)
  const empty = await read({ ...link, 'styles/colors.yaml': '' })
  assert.deepEqual(lines(empty.findings), ['styles/colors.yaml: warning styles-empty'])
  assert.equal(empty.drafts.length, 1)
})

for (const path of ['colors.yaml', 'Colors.yml', 'styles/colours.yaml', 'files/color.yaml', 'pages/colors.yaml'])
  test(`colours in ${path} are one error that names the right path, without errors for references to them`, async () => {
    const link = `[Own](${path.startsWith('pages/') ? '' : '../'}${path.replace('pages/', '')})`
    const { findings } = await read({ ...WITHOUT_COLORS, [path]: COLORS, 'pages/link.md': `${link}\n` })
    const verb = path.startsWith('styles/') ? 'rename' : 'move'
    assert.deepEqual(findingLines(findings), [
      `${path}: error styles-misplaced: is not read, so the project has no colours: ${verb} it to styles/colors.yaml`,
    ])
  })

test('another file called types.yaml under files/ is not a misplaced list', async () =>
  assert.deepEqual((await read({ 'files/api/types.yaml': 'openapi: 3.1.0\n' })).findings, []))

test('colours in the folder of a workspace are one error that names the place in the project without any', async () => {
  const { findings } = await read({
    'colors.yaml': COLORS,
    'guide/project.yaml': 'theme: { accent: ink }\n',
    'guide/pages/index.md': '[Ink](../styles/colors.yaml#ink)\n',
  })
  assert.deepEqual(lines(findings), ['colors.yaml: error styles-misplaced'])
  assert.match(findings[0]?.message ?? '', /move it to guide\/styles\/colors.yaml$/)
  assert.deepEqual(lines((await read({ 'types.yaml': '- name: A\n' })).findings), [
    'types.yaml: error styles-misplaced',
  ])
})

test('a page or file that cannot be read is one finding, even if others refer to it', async () => {
  const { findings } = await readAt(
    await folderWith({
      'project.yaml': 'theme: { logo: files/logo.svg }\npages: [misuse]\n',
      'pages/index.md': '[Misuse](misuse.md), [again](misuse), [gone](gone.md)\n',
      'pages/misuse.md': Buffer.from([0xff]),
      'files/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>'.padEnd(101),
      'files/files.yaml': 'logo.svg: Our logo\n',
    }),
    { maxFile: 100 },
  )
  assert.deepEqual(lines(findings), [
    'files/logo.svg: error too-large',
    'pages/misuse.md:1 error not-utf8',
    'pages/index.md:1 warning link-broken',
  ])
})

test('an empty list without references to it is not reported', async () =>
  assert.deepEqual((await read({ 'styles/colors.yaml': '' })).findings, []))
