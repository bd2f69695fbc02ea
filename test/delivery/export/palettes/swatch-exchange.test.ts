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
    '"Sky CMYK": has values only for print (cmyk 1,0,0,0); left out: add it with its hex to styles/colors.yaml',
  ])
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
