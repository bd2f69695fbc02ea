import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import test from 'node:test'
import { inkKey } from '#brand/styles/ink.ts'
import { converted } from '../../../support/converted.ts'
import { exported, type MadeExport } from '../../../support/exported.ts'
import { temporaryStore } from '../../../support/temporary-store.ts'
import { forAnyBrand } from '../hostile-brand.ts'

type Entry = { type: string; name: string; color: Readonly<Record<string, string | number>> }
type Group = { type: string; name: string; entries: Entry[] }

const { read }: { read: (file: Buffer) => Group[] } = createRequire(import.meta.url)('ase-util')
const temporary = await temporaryStore()

const COLORS = `- { name: Ink, hex: "#14212b", pms: 5395 C, pms2: 5395 U }
- { name: Deep ink, hex: "#0a1118", cmyk: [85, 65, 50, 70.5], pms: Pantone® 5395 c }
- { name: Ink, id: ink-2, hex: "#ffffff", cmyk: [0, 0, 0, 0] }
- { name: PANTONE 5395 U, hex: "#000000" }
`

test('palette.ase has every colour for screens, authored CMYK values for print, and each ink once as a spot colour', async () => {
  const made = await exported(temporary, 'ase', { 'styles/colors.yaml': COLORS })
  const groups = groupsIn(made)
  const swatches = groups.flatMap(({ name: group, entries }) =>
    entries.map(({ name, color }) => `${group}: ${name}, ${color.model}, ${color.type}`),
  )
  assert.deepEqual(swatches, [
    'screen: Ink, RGB, normal',
    'screen: Deep ink, RGB, normal',
    'screen: Ink (ink-2), RGB, normal',
    'screen: PANTONE 5395 U (pantone-5395-u), RGB, normal',
    'print: Deep ink CMYK, CMYK, normal',
    'print: Ink CMYK, CMYK, normal',
    'spot: PANTONE 5395 C, CMYK, spot',
    'spot: PANTONE 5395 U, RGB, spot',
  ])
  const deep = [0.85, 0.65, 0.5, 0.705].map(Math.fround)
  assert.deepEqual(channelsOf(groups[1]?.entries[0]), deep)
  assert.deepEqual(channelsOf(groups[2]?.entries[0]), deep)
  const expected = [0x14, 0x21, 0x2b].map(value => Math.fround(value / 255))
  assert.deepEqual(channelsOf(groups[2]?.entries[1]), expected)
  assert.deepEqual(made.leftOut, [
    '2 colours (ink-2, pantone-5395-u): another swatch has the same name, so the colour id is added to it',
  ])
})

/** Checked by eye against the description of the format. */
const GOLDEN = `
41534546 0001 0000 00000006
c001 00000010 0007 0073 0063 0072 0065 0065 006e 0000
0001 0000001a 0003 00e9 0041 0000 52474220 3f800000 3e4ccccd 00000000 0002
c002 00000000
c001 0000000c 0005 0073 0070 006f 0074 0000
0001 00000028 000a 0050 0041 004e 0054 004f 004e 0045 0020 0031 0000 52474220 3f800000 3e4ccccd 00000000 0001
c002 00000000
`

test('palette.ase has exactly the bytes of the format', async () => {
  const made = await exported(temporary, 'ase', { 'styles/colors.yaml': '- { name: éA, hex: "#ff3300", pms: "1" }\n' })
  const bytes = Buffer.from(bytesOf(made))
  const golden = GOLDEN.replaceAll(/\s/g, '')
  assert.equal(bytes.toString('hex'), golden)
})

test('init reads hex, CMYK and Pantone back from palette.ase, and nothing for a name that two colours could have', async () => {
  const made = await exported(temporary, 'ase', {
    'styles/colors.yaml': `- { name: Blue, hex: "#1d70b8", cmyk: [84, 39, 0, 28], pms: 285 C }
- { name: Blue (dark), hex: "#0a1118", cmyk: [85, 65, 50, 70.5] }
- { name: Rich CMYK, hex: "#000000", cmyk: [60, 40, 40, 100] }
- { name: Blue (dark), id: deep, hex: "#0a1119", cmyk: [90, 65, 50, 70], pms: 2 C, pms2: 2 U }
- { name: Sky, hex: "#ffffff" }
- { name: Sky, id: sky-2, hex: "#fffffe", cmyk: [1, 0, 0, 0] }
`,
  })
  const { colors, notes } = converted(bytesOf(made))
  const seen = colors.map(({ name, hex, cmyk, pms, pms2 }) => [name, hex, cmyk, pms, pms2])
  assert.deepEqual(seen, [
    ['Blue', '#1d70b8', '84,39,0,28', '285 C', undefined],
    ['Blue (dark)', '#0a1118', '85,65,50,70.5', undefined, undefined],
    ['Rich CMYK', '#000000', '60,40,40,100', undefined, undefined],
    ['Blue (dark) (deep)', '#0a1119', '90,65,50,70', '2 C', '2 U'],
    ['Sky', '#ffffff', undefined, undefined, undefined],
    ['Sky (sky-2)', '#fffffe', undefined, undefined, undefined],
  ])
  assert.deepEqual(notes.slice(1), [
    '"Sky CMYK": has no value for screens (cmyk 1,0,0,0); left out: add it with its hex to styles/colors.yaml',
  ])
})

test('a brand without colours has a palette without groups', async () => {
  assert.deepEqual(groupsIn(await exported(temporary, 'ase', { 'pages/index.md': '# Home\n' })), [])
})

test('ase-util finds every colour with any name, and no name twice', async () => {
  await forAnyBrand(6, async brand => {
    const made = await exported(temporary, 'ase', brand)
    const groups = new Map(groupsIn(made).map(({ name, entries }) => [name, entries]))
    const [screen = [], print = [], spot = []] = ['screen', 'print', 'spot'].map(name => groups.get(name))
    const printed = made.colors.filter(({ cmyk }) => cmyk !== undefined)
    assert.equal(screen.length, made.colors.length)
    for (const [at, { id, name, rgb }] of made.colors.entries()) {
      assert.ok(isNameOf(screen[at], name, id))
      assert.equal(
        channelsOf(screen[at])
          .map(value => Math.round(value * 255))
          .join(),
        rgb,
      )
    }
    assert.equal(print.length, printed.length)
    for (const [at, { id, name, cmyk }] of printed.entries()) {
      assert.ok(isNameOf(print[at], `${name} CMYK`, id))
      assert.equal(
        channelsOf(print[at])
          .map(value => Math.round(value * 10_000) / 100)
          .join(),
        cmyk,
      )
    }
    const inks = made.colors.flatMap(({ pms, pms2, inks = {} }) => [
      ...[pms, pms2].flatMap(ink => (ink === undefined ? [] : `PANTONE ${inkKey(ink)}`)),
      ...Object.entries(inks).map(([system, ink]) => inkKey(`${system} ${ink}`)),
    ])
    const keyOf = (name: string) => (name.startsWith('PANTONE') ? `PANTONE ${inkKey(name)}` : inkKey(name))
    const seen = spot.map(({ name }) => keyOf(name))
    assert.deepEqual(seen, [...new Set(inks)])
    const names = [screen, print, spot].flat().map(({ name }) => name)
    assert.equal(new Set(names).size, names.length)
  })
})

function isNameOf(entry: Entry | undefined, name: string, id: string): boolean {
  return entry?.name === name || (entry?.name.startsWith(`${name} (${id}`) ?? false)
}

function channelsOf(entry: Entry | undefined): number[] {
  const { r, g, b, c, m, y, k } = entry?.color ?? {}
  return [r, g, b, c, m, y, k].filter(value => typeof value === 'number')
}

function groupsIn(made: MadeExport): Group[] {
  return read(Buffer.from(bytesOf(made)))
}

function bytesOf({ files }: MadeExport): Uint8Array {
  return files.get('palette.ase') ?? assert.fail('there is no palette.ase')
}
