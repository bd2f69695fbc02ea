import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { brotliCompressSync, constants } from 'node:zlib'
import type { FontVariation } from '#intake/media/media-task.ts'
import { collection, nameTable, sfnt, tablesOf } from '../../support/fonts.ts'
import { fc, forAllIn } from '../../support/random.ts'
import { mediaFolder, reading, unreadable } from '../media-files.ts'

const { read, readPath } = await mediaFolder()

const PLEX = 'node_modules/@ibm/plex-sans/fonts/complete'

const BOLD_ITALIC = { family: 'IBM Plex Sans', subFamily: 'Bold Italic', weight: 700, style: 'italic' } as const
const woff = readFileSync(`${PLEX}/woff/IBMPlexSans-BoldItalic.woff`)
const woff2 = readFileSync(`${PLEX}/woff2/IBMPlexSans-BoldItalic.woff2`)
const light = readFileSync(`${PLEX}/woff/IBMPlexSans-Light.woff`)
const ttf = sfnt(tablesOf(woff))

const FORMATS: [string, Buffer, string][] = [
  ['a.ttf', ttf, 'font/ttf'],
  ['a.woff', woff, 'font/woff'],
  ['a.woff2', woff2, 'font/woff2'],
  ['a.ttc', collection([tablesOf(woff), tablesOf(light)]), 'font/collection'],
]

for (const [name, bytes, contentType] of FORMATS) {
  test(`a font is read from ${contentType} (the first font of a collection)`, async () => {
    const { names: _, others, ...first } = await read(name, bytes)
    assert.deepEqual(first, reading(contentType, { metadata: BOLD_ITALIC }))
    const seen = others?.map(({ weight }) => weight)
    assert.deepEqual(seen, name === 'a.ttc' ? [300] : undefined)
  })

  test(`a truncated ${contentType} is a warning`, async () => {
    const problem = 'it is cut short; copy or export it again'
    assert.deepEqual(await read(name, bytes.subarray(0, bytes.length / 2)), unreadable(contentType, problem))
  })
}

test('a WOFF without its whole header is cut short', async () => {
  const header = Buffer.concat([Buffer.from('wOFF\0\x01\0\0', 'latin1'), Buffer.alloc(35)])
  for (const length of [12, 13, 43])
    assert.deepEqual(await read('a.woff', header.subarray(0, length)), unreadable('font/woff', CUT_SHORT), `${length}`)
})

const [JAPANESE, AUSTRALIAN, AMERICAN, GERMAN] = [0x411, 0xc09, 0x409, 0x407]

/** The name with this id in American English. */
const english = (id: number, text: string): Parameters<typeof nameTable>[0][number] => [3, AMERICAN, id, text]
const JAPANESE_NAME: Parameters<typeof nameTable>[0][number] = [3, JAPANESE, 1, '明朝']

const NAMES: Readonly<
  Record<string, readonly [Parameters<typeof nameTable>[0], { family?: string; subFamily?: string }]>
> = {
  'the typographic names first': [
    [english(1, 'Acme Thin'), english(2, 'Regular'), english(16, 'Acme'), english(17, 'Thin')],
    { family: 'Acme', subFamily: 'Thin' },
  ],
  'names 1 and 2 without them': [[english(1, 'Acme'), english(2, 'Light')], { family: 'Acme', subFamily: 'Light' }],
  'American English first': [
    [JAPANESE_NAME, [3, AUSTRALIAN, 1, 'Mincho AU'], english(1, 'Mincho')],
    { family: 'Mincho' },
  ],
  'English names before others': [[JAPANESE_NAME, [3, AUSTRALIAN, 1, 'Mincho']], { family: 'Mincho' }],
  'English of the Macintosh': [[[1, 0, 1, 'Mincho'], JAPANESE_NAME], { family: 'Mincho' }],
  'another language without English': [[[3, GERMAN, 1, 'Löwe']], { family: 'Löwe' }],
  'an empty typographic name is ignored': [[english(1, 'Acme'), english(16, ' ')], { family: 'Acme' }],
  'control characters are taken out': [[english(1, ' Ac\0me\nSans\u0007')], { family: 'Ac me Sans' }],
  'half characters are replaced': [[english(1, 'Acme \ud800')], { family: 'Acme \ufffd' }],
  '200 characters at most': [[english(1, 'x'.repeat(300))], { family: 'x'.repeat(200) }],
  'no names at all': [[], {}],
}

for (const [name, [names, expected]] of Object.entries(NAMES)) {
  test(`the names of a font: ${name}`, async () => {
    const font = sfnt(new Map([...tablesOf(light), ['name', nameTable(names)]]))
    const metadata = { ...expected, weight: 300, style: 'normal' } as const
    const { names: _, ...found } = await read('a.ttf', font)
    assert.deepEqual(found, reading('font/ttf', { metadata }))
  })
}

/** OS/2: fsSelection at 62, usWeightClass at 4. head: macStyle at 44. post: italicAngle at 4. */
function patchFont(changes: [table: string, at: number, value: number][], without = '', subFamily = ''): Buffer {
  const tables = new Map([...tablesOf(light), ['name', nameTable([english(1, 'Acme'), english(17, subFamily)])]])
  for (const [tag, at, value] of changes) {
    const table = Buffer.from(tables.get(tag) ?? [])
    table.writeUInt16BE(value, at)
    tables.set(tag, table)
  }
  tables.delete(without)
  return sfnt(tables)
}

const STYLES: Readonly<
  Record<string, readonly [Buffer, { subFamily?: string; weight?: number; style: 'normal' | 'italic' | 'oblique' }]>
> = {
  'the italic bit': [patchFont([['OS/2', 62, 0x01]]), { weight: 300, style: 'italic' }],
  'the oblique bit': [patchFont([['OS/2', 62, 0x201]]), { weight: 300, style: 'oblique' }],
  'no bit': [patchFont([['OS/2', 62, 0x40]]), { weight: 300, style: 'normal' }],
  'no OS/2, slanted by head': [patchFont([['head', 44, 0x02]], 'OS/2'), { style: 'italic' }],
  'no OS/2, slanted by post': [patchFont([['post', 4, 0xfff4]], 'OS/2'), { style: 'italic' }],
  'no OS/2 and upright': [patchFont([], 'OS/2'), { style: 'normal' }],
  'weight 1000': [patchFont([['OS/2', 4, 1000]]), { weight: 1000, style: 'normal' }],
  'weight 1001 is none': [patchFont([['OS/2', 4, 1001]]), { style: 'normal' }],
  'no OS/2, bold by head': [patchFont([['head', 44, 0x01]], 'OS/2'), { weight: 700, style: 'normal' }],
  'no OS/2, named Regular, and bold by head': [
    patchFont([['head', 44, 0x01]], 'OS/2', 'Regular'),
    { subFamily: 'Regular', weight: 700, style: 'normal' },
  ],
  'slanted by head and post against OS/2': [
    patchFont([
      ['OS/2', 62, 0x40],
      ['head', 44, 0x02],
      ['post', 4, 0xfff4],
    ]),
    { weight: 300, style: 'italic' },
  ],
}

for (const [name, [font, expected]] of Object.entries(STYLES)) {
  test(`the weight and style of a font: ${name}`, async () => {
    const { names: _, ...found } = await read('a.ttf', font)
    assert.deepEqual(found, reading('font/ttf', { metadata: { family: 'Acme', ...expected } }))
  })
}

const NAMED: [subFamily: string, os2: number | undefined, weight: number, style: string][] = [
  ['SemiBold Italic', 400, 600, 'italic'],
  ['Condensed Extra Light', 400, 200, 'normal'],
  ['Kursiv', 400, 400, 'italic'],
  ['Medium', undefined, 500, 'normal'],
  ['Thin', 250, 100, 'normal'],
  ['Book', 350, 350, 'normal'],
  ['Book', 705, 400, 'normal'],
  ['ThinItalic', 705, 100, 'italic'],
  ['Black', 300, 900, 'normal'],
]

test('the name of a font gives its weight and style if OS/2 is missing or contradicts it', async () => {
  for (const [subFamily, os2, weight, style] of NAMED) {
    const font = patchFont([['OS/2', 4, os2 ?? 400]], os2 === undefined ? 'OS/2' : '', subFamily)
    const { metadata } = await read('a.ttf', font)
    assert.deepEqual(metadata, { family: 'Acme', subFamily, weight, style }, subFamily)
  }
})

test('a font has the names by which other programs know it, except those that follow from its family', async () => {
  const names = ['Acme Sans SmBld', 'Regular', '', 'Acme Sans SemiBold', '', 'AcmeSans-SmBld'].map((name, at) =>
    english(at + 1, name),
  )
  const typographic = [english(16, 'Acme Sans'), english(17, 'SemiBold'), english(21, 'Acme Text')]
  const font = sfnt(new Map([...tablesOf(light), ['name', nameTable([...names, ...typographic])]]))
  assert.deepEqual((await read('a.ttf', font)).names, ['Acme Sans SmBld', 'AcmeSans-SmBld', 'Acme Text'])
})

test('a font with only a full name or a PostScript name has its family, weight and style from it', async () => {
  for (const [id, name, metadata] of [
    [4, 'Acme Sans', { family: 'Acme Sans' }],
    [6, 'AcmeSans-SemiBoldItalic', { family: 'AcmeSans', subFamily: 'Semi Bold Italic', weight: 600, style: 'italic' }],
  ] as const) {
    const tables = new Map([...tablesOf(light), ['name', nameTable([english(id, name)])]] as const)
    tables.delete('OS/2')
    const found = await read('a.ttf', sfnt(tables))
    assert.deepEqual(found.metadata, { style: 'normal', ...metadata })
  }
})

test('the family of a variable font does not end with its default instance', async () => {
  const folder = 'node_modules/@fontsource-variable'
  for (const [path, family] of [
    ['recursive/files/recursive-latin-casl-normal.woff2', 'Recursive'],
    ['nunito/files/nunito-latin-wght-italic.woff2', 'Nunito'],
  ]) {
    const { metadata } = await readPath(`${folder}/${path}`)
    assert.equal(metadata && 'family' in metadata && metadata.family, family)
  }
})

test('a variable font has its family without its default weight', async () => {
  for (const [name, usual, family] of [
    ['Acme ExtraLight', 200, 'Acme'],
    ['Acme ExtraLight Italic', 200, 'Acme'],
    ['Acme Black', 400, 'Acme Black'],
    ['Light', 300, 'Light'],
  ] as const) {
    const tables = new Map([
      ...tablesOf(light),
      ['name', nameTable([english(1, name), english(256, 'Weight')])],
      ['fvar', wght(100, usual, 900)],
    ] as const)
    const { metadata } = await read('a.ttf', sfnt(new Map(tables)))
    assert.equal(metadata && 'family' in metadata && metadata.family, family)
  }
})

test('the name of an old font decides whether it is oblique', async () => {
  const os2 = Buffer.from(tablesOf(light).get('OS/2') ?? [])
  os2.writeUInt16BE(1, 62)
  const name = nameTable([english(1, 'Acme'), english(2, 'Light Oblique')])
  const font = sfnt(new Map([...tablesOf(light), ['OS/2', os2], ['name', name]]))
  const metadata = { family: 'Acme', subFamily: 'Light Oblique', weight: 300, style: 'oblique' } as const
  const { names: _, ...found } = await read('a.ttf', font)
  assert.deepEqual(found, reading('font/ttf', { metadata }))
})

/** An fvar table (OpenType 1.9): axes with minimum, default and maximum, and no instances. */
function fvar(axes: [tag: string, from: number, usual: number, to: number][]): Buffer {
  const table = Buffer.alloc(16 + 20 * axes.length)
  for (const [at, value] of [1, 0, 16, 2, axes.length, 20, 0, 4].entries()) table.writeUInt16BE(value, 2 * at)
  for (const [n, [tag, ...values]] of axes.entries()) {
    table.write(tag, 16 + 20 * n, 'latin1')
    for (const [m, value] of values.entries()) table.writeInt32BE(value * 65536, 20 + 20 * n + 4 * m)
    table.writeUInt16BE(256, 34 + 20 * n)
  }
  return table
}

const wght = (from: number, usual: number, to: number) => fvar([['wght', from, usual, to]])
function withoutName(table: Buffer): Buffer {
  table.writeUInt16BE(300, 34)
  return table
}

const VARIABLE_NAMES = nameTable([english(1, 'Acme'), english(256, 'Weight')])
const VARIABLE: [what: string, table: Buffer, ranges: FontVariation, axes: string[]][] = [
  ['a range of weights', wght(100, 400, 900), { weights: [100, 900] }, ['wght']],
  ['a slant', fvar([['slnt', -10, 0, 0]]), { isSlanting: true }, ['slnt']],
  [
    'weights and an italic',
    fvar([
      ['wght', 1, 400, 1000],
      ['ital', 0, 0, 1],
    ]),
    { weights: [1, 1000], isSlanting: true },
    ['wght', 'ital'],
  ],
  ['only widths', fvar([['wdth', 75, 100, 125]]), {}, ['wdth']],
  ['an axis that has no name', withoutName(wght(100, 400, 900)), { weights: [100, 900] }, ['wght']],
]
for (const [what, table, ranges, tags] of VARIABLE)
  test(`a variable font with ${what} keeps its metadata and reports its ranges`, async () => {
    const plain = sfnt(new Map([...tablesOf(light), ['name', VARIABLE_NAMES]]))
    const variable = sfnt(new Map([...tablesOf(light), ['name', VARIABLE_NAMES], ['fvar', table]]))
    const expected = await read('plain.ttf', plain)
    const { variation, ...rest } = await read('variable.ttf', variable)
    const { axes = [], ...others } = variation ?? {}
    assert.deepEqual([rest, others, axes.map(({ tag }) => tag)], [expected, ranges, tags])
  })

test('a font with a damaged table keeps its metadata, with a warning that the rest is missing', async () => {
  const tables = new Map([...tablesOf(light), ['cmap', Buffer.alloc(40, 0xff)]])
  const { metadata, problems } = await read('a.ttf', sfnt(tables))
  assert.equal(metadata && 'weight' in metadata && metadata.weight, 300)
  const message =
    'cannot read the whole font: one of its tables is damaged, so the website and exports lack its axes, characters and features; export it again'
  assert.deepEqual(problems, [{ rule: 'font-unreadable', line: null, message }])
})

/** A woff2 file whose only table unpacks to zeros, and may claim another length. */
function packedZeros(length: number, claimed = length): Buffer {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 1 }
  const digits = [28, 21, 14, 7].map(shift => 0x80 | ((claimed >> shift) & 0x7f))
  const used = digits.slice(digits.findIndex(digit => digit > 0x80))
  const directory = Buffer.from([0x01, ...used, claimed & 0x7f])
  const body = brotliCompressSync(Buffer.alloc(length), { params })
  const head = Buffer.alloc(48)
  head.write('wOF2\0\x01\0\0', 'latin1')
  head.writeUInt32BE(head.length + directory.length + body.length, 8)
  head.writeUInt16BE(1, 12)
  head.writeUInt32BE(body.length, 20)
  return Buffer.concat([head, directory, body])
}

function withUInt32(bytes: Buffer, at: number, value: number): Buffer {
  const copy = Buffer.from(bytes)
  copy.writeUInt32BE(value, at)
  return copy
}

const TOO_LARGE = 'it unpacks to more than 128 MiB; export it with fewer characters'
const CUT_SHORT = 'it is cut short; copy or export it again'
const PACKED = 'its packed content is damaged; copy or export it again'
const COLLECTION = 'it is a collection in WOFF2, which housestyle does not read; export its fonts one by one'
const LACKING = 'it lacks tables that every font has; export it again'

const HOSTILE: [string, string, Buffer, string, string][] = [
  ['Brotli that unpacks to 200 MiB', 'a.woff2', packedZeros(200 * 1024 * 1024), 'font/woff2', TOO_LARGE],
  ['Brotli of zeros', 'a.woff2', packedZeros(1000), 'font/woff2', PACKED],
  ['Brotli that unpacks to more than it claims', 'a.woff2', packedZeros(1001, 1000), 'font/woff2', PACKED],
  ['a stream of another length', 'a.woff2', withUInt32(woff2, 20, 1000), 'font/woff2', PACKED],
  ['a stream of 4 GiB', 'a.woff2', withUInt32(woff2, 20, 0xffffffff), 'font/woff2', CUT_SHORT],
  ['a collection in woff2', 'a.woff2', withUInt32(woff2, 4, 0x74746366), 'font/woff2', COLLECTION],
  ['a table that unpacks to 4 GiB', 'a.woff', withUInt32(woff, 56, 0xffffffff), 'font/woff', TOO_LARGE],
  ['a table 4 GiB away', 'a.ttf', withUInt32(ttf, 20, 0xffffffff), 'font/ttf', CUT_SHORT],
  ['no tables', 'a.ttf', sfnt(new Map()), 'font/ttf', LACKING],
  ['no head', 'a.ttf', patchFont([], 'head'), 'font/ttf', LACKING],
  ['a signature alone', 'a.ttf', Buffer.from('\0\x01\0\0\0', 'latin1'), 'font/ttf', CUT_SHORT],
  ['empty', 'a.woff2', Buffer.alloc(0), 'font/woff2', CUT_SHORT],
  ['plain text', 'a.otf', Buffer.from('This is not a font.'), 'font/otf', 'its content is not a font; export it again'],
]

for (const [name, file, bytes, contentType, problem] of HOSTILE) {
  test(`a font that cannot be read is a warning: ${name}`, async () => {
    assert.deepEqual(await read(file, bytes), unreadable(contentType, problem))
  })
}

test('a font with changed bytes is read or is a warning, and reading continues', async () => {
  const change = fc.tuple(fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 8 }))
  const changed = fc.tuple(fc.constantFrom(...FORMATS), fc.array(change, { minLength: 1, maxLength: 10 }))
  await forAllIn(60, [changed], async ([[name, bytes, contentType], changes]) => {
    const copy = Buffer.from(bytes)
    // The directories are in the first KiB. The signature is kept.
    for (const [at, values] of changes) copy.set(values, 12 + (at % 1000))
    const { metadata, problems, variation, names: _, others: __, ...rest } = await read(name, copy)
    assert.deepEqual(rest, { contentType })
    for (const { rule } of problems) assert.equal(rule, 'font-unreadable')
    if (!metadata || variation) assert.equal(problems.length, 1)
  })
})
