import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test from 'node:test'
import { isFont } from '#brand/file.ts'
import { collection, nameTable, sfnt, tablesOf } from '../../support/fonts.ts'
import { findingLines, messagesOf, ruleLines } from '../../support/problems.ts'
import { read } from '../reading.ts'

const font = (name: string) =>
  readFile(
    new URL(`../../../node_modules/@ibm/plex-sans/fonts/complete/woff2/IBMPlexSans-${name}.woff2`, import.meta.url),
  )
const FONTS = {
  'files/regular.woff2': await font('Regular'),
  'files/semibold.woff2': await font('SemiBold'),
  'files/light-italic.woff2': await font('LightItalic'),
}

const styles: Readonly<Record<string, string | undefined>> = {
  '': undefined,
  'weight: 400': undefined,
  'weight: SemiBold': undefined,
  'weight: 300, style: italic': undefined,
  'style: italic': undefined,
  'weight: 700':
    'no upright font of "IBM Plex Sans" has the weight 700: add the font, or use an available weight: 400, 600',
  'weight: 300':
    'no upright font of "IBM Plex Sans" has the weight 300: add the font, or use an available weight: 400, 600',
  'weight: 400, style: italic':
    'no italic font of "IBM Plex Sans" has the weight 400: add the font, or use an available weight: 300',
}
for (const [rest, message] of Object.entries(styles))
  test(`a type style of IBM Plex Sans with ${rest || 'nothing more'} has ${message ? 'no font' : 'a font'}`, async () => {
    const { findings } = await read({ ...FONTS, 'styles/types.yaml': `- {name: A, family: IBM Plex Sans, ${rest}}\n` })
    const expected = message === undefined ? [] : [`styles/types.yaml:1 warning font-weight-missing: ${message}`]
    assert.deepEqual(findingLines(findings), expected)
  })

test('a family without an upright font gives a finding', async () => {
  const { findings } = await read({
    'files/a.woff2': FONTS['files/light-italic.woff2'],
    'styles/types.yaml': '- {name: A, family: IBM Plex Sans, weight: 300}\n',
  })
  assert.deepEqual(messagesOf(findings), ['no font of "IBM Plex Sans" is upright: add one, or write style: italic'])
})

test('a font weight in files.yaml takes precedence', async () => {
  const { findings } = await read({
    'files/a.woff2': FONTS['files/regular.woff2'],
    'files/files.yaml': 'a.woff2: { weight: 450 }\n',
    'styles/types.yaml': '- {name: A, family: IBM Plex Sans, weight: 450}\n',
  })
  assert.deepEqual(findings, [])
})

test('a missing family is reported once, without its weights', async () => {
  const { findings } = await read({
    'styles/types.yaml': '- {name: A, family: Gone, weight: 450}\n- {name: B, family: Gone, weight: 300}\n',
  })
  assert.deepEqual(ruleLines(findings), ['font-family-missing 1'])
})

test('a family whose font is a ZIP archive has one finding, at the archive', async () => {
  const { findings } = await read({
    'files/fonts/Acme-Sans-Bold.woff2': 'PK\x03\x04',
    'styles/types.yaml': '- {name: A, family: Acme Sans}\n',
  })
  const seen = findings.map(({ path, rule }) => [path, rule])
  assert.deepEqual(seen, [['files/fonts/Acme-Sans-Bold.woff2', 'type-mismatch']])
})

test('a missing family names the families that exist, and how to rename one or to use a system font', async () => {
  const { findings } = await read({ ...FONTS, 'styles/types.yaml': '- {name: A, family: Plex}\n' })
  assert.deepEqual(messagesOf(findings), [
    'no font under files/ has the family "Plex": add the font, or repeat a system font in "fallback", or name a family that exists: "IBM Plex Sans"; "family" in files/files.yaml sets the name of a font',
  ])
})

test('a family that its type style repeats as a fallback is a system font, and gives no finding', async () => {
  const style = (fallback: string) => ({
    'styles/types.yaml': `- {name: A, family: Helvetica Neue, fallback: [${fallback}]}\n`,
  })
  assert.deepEqual((await read(style('Helvetica Neue, Arial'))).findings, [])
  assert.equal((await read(style('Arial'))).findings.length, 1)
})

test('a missing weight names the file that has it under another family', async () => {
  const { findings } = await read({
    ...FONTS,
    'files/bold.woff2': await font('Bold'),
    'files/files.yaml': 'bold.woff2: { family: IBM Plex Sans Bold }\n',
    'styles/types.yaml': '- {name: A, family: IBM Plex Sans, weight: 700}\n',
  })
  assert.deepEqual(findingLines(findings), [
    'styles/types.yaml:1 warning font-weight-missing: no upright font of "IBM Plex Sans" has the weight 700: files/bold.woff2 has it in the family "IBM Plex Sans Bold": set "family" of that file to "IBM Plex Sans" in files/files.yaml, or use that family',
  ])
})

const fraunces = await readFile(
  new URL(
    '../../../node_modules/@fontsource-variable/fraunces/files/fraunces-vietnamese-soft-normal.woff2',
    import.meta.url,
  ),
)

const axes: Readonly<Record<string, string | undefined>> = {
  '{ SOFT: 100, wght: 250 }': undefined,
  '{ SOFT: 101 }': 'the axis "SOFT" of "Fraunces" has no value 101: write one from 0 to 100',
  '{ WONK: 1 }':
    'no font of "Fraunces" has the axis "WONK": add a variable font that has it, or use an available axis: SOFT, wght',
}
for (const [written, message] of Object.entries(axes))
  test(`a type style of Fraunces with the axes ${written} has ${message ? 'no font' : 'a font'}`, async () => {
    const { findings } = await read({
      'files/a.woff2': fraunces,
      'files/files.yaml': 'a.woff2: { family: Fraunces }\n',
      'styles/types.yaml': `- name: A\n  family: Fraunces\n  axes: ${written}\n`,
    })
    const expected = message === undefined ? [] : [`styles/types.yaml:3 warning font-axis-missing: ${message}`]
    assert.deepEqual(findingLines(findings), expected)
  })

const named = (family: string, subFamily: string) => {
  const name = nameTable([
    [3, 0x409, 1, family],
    [3, 0x409, 2, subFamily],
  ])
  return new Map([...tablesOf(WOFF), ['name', name]])
}
const WOFF = await readFile(
  new URL('../../../node_modules/@ibm/plex-sans/fonts/complete/woff/IBMPlexSans-Regular.woff', import.meta.url),
)

test('a family of any font of a collection exists', async () => {
  const { findings } = await read({
    'files/acme.ttc': collection([named('Acme Sans', 'Regular'), named('Acme Serif', 'Bold')]),
    'styles/types.yaml': '- {name: A, family: Acme Sans, weight: 400}\n- {name: B, family: Acme Serif, weight: 700}\n',
  })
  assert.deepEqual(findings, [])
})

test('another name of a font in a collection is reported with the family of that font', async () => {
  const serif = named('Acme Serif', 'Bold')
  const name = nameTable([
    [3, 1033, 1, 'Acme Serif'],
    [3, 1033, 6, 'AcmeSerif-Heavy'],
  ])
  const { findings } = await read({
    'files/acme.ttc': collection([named('Acme Sans', 'Regular'), new Map([...serif, ['name', name]])]),
    'styles/types.yaml': '- {name: A, family: AcmeSerif-Heavy}\n',
  })
  assert.deepEqual(messagesOf(findings), [
    '"AcmeSerif-Heavy" is another name of files/acme.ttc: write family: Acme Serif',
  ])
})

test('a family that is another name of a font is reported with its family and weight', async () => {
  const { findings } = await read({
    'files/medium.woff2': await font('Medium'),
    'styles/types.yaml': '- {name: A, family: IBM Plex Sans Medm}\n',
  })
  assert.deepEqual(messagesOf(findings), [
    '"IBM Plex Sans Medm" is another name of files/medium.woff2: write family: IBM Plex Sans, with weight: 500',
  ])
})

const regular = FONTS['files/regular.woff2']
const AMBIGUOUS: Readonly<Record<string, readonly [files: Record<string, Buffer>, second: string | undefined]>> = {
  'two fonts of a family with one weight': [
    { 'a.ttf': sfnt(named('Acme', 'Text')), 'b.ttf': sfnt(named('Acme', 'Display')) },
    'files/b.ttf',
  ],
  'an older version in a folder': [
    {
      'a.ttf': sfnt(named('Acme', 'Regular')),
      'old/a.ttf': sfnt(named('Acme', 'Regular').set('meta', Buffer.alloc(4))),
    },
    'files/old/a.ttf',
  ],
  'formats of a font': [{ 'web/a.woff2': regular, 'desktop/a.woff': WOFF }, undefined],
  'formats with other spellings of a name': [{ 'Acme-A.woff2': regular, 'acme_a-webfont.woff': WOFF }, undefined],
  'two spellings of a family': [
    { 'a.ttf': sfnt(named('Acme', 'Regular')), 'b.ttf': sfnt(named('ACME', 'Regular')) },
    'files/b.ttf',
  ],
  'two fonts for the same part': [
    {
      'acme-latin-a.ttf': sfnt(named('Acme', 'Regular')),
      'acme-latin-b.ttf': sfnt(named('Acme', 'Regular').set('meta', Buffer.alloc(4))),
    },
    'files/acme-latin-b.ttf',
  ],
  'two copies of a file': [{ 'a.woff2': regular, 'b.woff2': regular }, undefined],
  'two widths': [{ 'a.ttf': sfnt(named('Acme', 'Regular')), 'b.ttf': sfnt(named('Acme', 'Condensed')) }, undefined],
  'two families': [
    { 'a.ttf': sfnt(named('Acme', 'Regular')), 'b.ttf': sfnt(named('Acme Display', 'Regular')) },
    undefined,
  ],
  'a part of a font': [
    {
      'a.ttf': sfnt(named('Acme', 'Regular')),
      'acme-latin.ttf': sfnt(named('Acme', 'Regular').set('meta', Buffer.alloc(4))),
    },
    undefined,
  ],
}

test('two fonts that style sheets cannot tell apart are reported at the second file', async () => {
  for (const [what, [files, second]] of Object.entries(AMBIGUOUS)) {
    const contents = Object.fromEntries(Object.entries(files).map(([name, bytes]) => [`files/${name}`, bytes]))
    const { findings } = await read(contents)
    const found = findings.map(({ path, rule }) => `${path} ${rule}`)
    assert.deepEqual(found, second === undefined ? [] : [`${second} font-ambiguous`], what)
  }
})

/** Names as obfuscating programs write them: of family, cut, whole font and PostScript; one stands for all but the cut. */
const NOT_NAMES: (readonly string[])[] = [
  ...['', ' ', '.', '.\x7f', '-', '\u200b', '3A1B2C_0_0', '0123456789abcdef0123456789abcdef', 'webfont'].map(each => [
    each,
    '',
    each,
    each,
  ]),
  ['-', 'Regular', '- Regular', '--Regular'],
  ['   ', 'Regular', 'Regular', 'Regular'],
  ['_', 'Bold', '_ Bold', '_-Bold'],
  ['...', 'Light Italic', '... Light Italic', '...-LightItalic'],
  ['\u00a0\u200b', 'Regular', '\u00a0', '\u200b-Regular'],
]
for (const texts of NOT_NAMES)
  test(`a font with the names ${JSON.stringify(texts)} is shown under its file name, with a warning`, async () => {
    const ids = [1, 2, 4, 6]
    const names = ids.map((id, at): [3, number, number, string] => [3, 0x409, id, texts[at] ?? ''])
    const contents = {
      'files/web/quay-sans.v3.ttf': sfnt(new Map([...tablesOf(WOFF), ['name', nameTable(names)]])),
      'styles/types.yaml': '- {name: A, family: quay-sans.v3}\n',
    }
    const { findings, drafts } = await read(contents)
    const fonts = Array.from(drafts[0]?.files ?? []).filter(isFont)
    assert.deepEqual(findingLines(findings), [
      'files/web/quay-sans.v3.ttf: warning font-name-missing: the font does not name its family, so it is shown as "quay-sans.v3": write the name in files/files.yaml, as in "web/quay-sans.v3.ttf": { family: Acme Sans }',
    ])
    const seen = fonts.map(({ names, metadata }) => [texts[1] === '' ? names : undefined, metadata?.family])
    assert.deepEqual(seen, [[undefined, undefined]])
    const named = '"web/quay-sans.v3.ttf": { family: Quay Sans }'
    const types = '- {name: A, family: Quay Sans}\n'
    assert.deepEqual((await read({ ...contents, 'files/files.yaml': named, 'styles/types.yaml': types })).findings, [])
  })
