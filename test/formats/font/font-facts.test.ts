import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { type FontFacts, fontFacts, webObstacle } from '#formats/font/font-facts.ts'
import { openFont } from '#formats/font/open-font.ts'
import { cmapTable, INTER, interWith, sfnt, tablesOf, variableInter } from '../../support/fonts.ts'

const PLEX = 'node_modules/@ibm/plex-sans/fonts/complete'

async function factsOf(bytes: Buffer): Promise<FontFacts> {
  const font = await openFont(bytes)
  assert.ok(font.ok)
  return fontFacts(font.value)
}

for (const format of ['woff', 'woff2'])
  test(`the facts of a font are read from ${format}`, async () => {
    const facts = await factsOf(readFileSync(`${PLEX}/${format}/IBMPlexSans-SemiBold.${format}`))
    const { axes, kind, ascent, descent, lineGap, characters, embedding, licenseUrl, license = '' } = facts
    assert.deepEqual([axes, kind, ascent, descent, lineGap], [[], 'sans', 1.025, 0.275, 0])
    assert.ok(characters.count > 800)
    assert.deepEqual(characters.ranges[0], [0x20, 0x7e])
    assert.deepEqual(embedding, { rights: 'installable', maySubset: true, onlyBitmaps: false })
    assert.match(license, /SIL Open Font License/)
    assert.match(licenseUrl ?? '', /^https?:\/\/scripts\.sil\.org\/OFL$/)
    const [measured] = facts.widths
    assert.ok(measured && measured.width > 0.46 && measured.width < 0.47)
  })

test('a symbol font has its characters from U+F020, and the same from U+0020', async () => {
  const tables = tablesOf(readFileSync(`${PLEX}/woff/IBMPlexSans-SemiBold.woff`))
  const { characters } = await factsOf(sfnt(new Map([...tables, ['cmap', cmapTable(0, 0xf021, 0xf023)]])))
  assert.deepEqual(characters, {
    count: 6,
    ranges: [
      [0x21, 0x23],
      [0xf021, 0xf023],
    ],
  })
})

test('a feature lists the letters that it changes, and ligatures the letters that they join', async () => {
  const { features } = await factsOf(readFileSync(`${PLEX}/woff2/IBMPlexSans-Regular.woff2`))
  const changes = new Map(features.map(({ tag, changes }) => [tag, changes]))
  assert.ok(changes.get('zero')?.includes('0'))
  assert.ok(changes.get('ss01')?.includes('a'))
  assert.ok(changes.get('liga')?.includes('fi'))
})

test('a variable font has its axes, even without names', async () => {
  const font = variableInter([
    ['wght', 100, 400, 900],
    ['slnt', -10, 0, 0],
  ])
  assert.deepEqual((await factsOf(font)).axes, [
    { tag: 'wght', min: 100, default: 400, max: 900 },
    { tag: 'slnt', min: -10, default: 0, max: 0 },
  ])
})

for (const [bits, rights, maySubset, onlyBitmaps] of [
  [0x0002, 'restricted', true, false],
  [0x0004, 'preview', true, false],
  [0x0008, 'editable', true, false],
  [0x000c, 'editable', true, false],
  [0x0104, 'preview', false, false],
  [0x0200, 'installable', true, true],
] as const)
  test(`fsType ${bits} allows ${rights} embedding`, async () => {
    const os2 = Buffer.from(INTER.get('OS/2') ?? [])
    os2.writeUInt16BE(bits, 8)
    assert.deepEqual((await factsOf(interWith({ 'OS/2': os2 }))).embedding, { rights, maySubset, onlyBitmaps })
  })

test('a font may not be used on the web if its embedding rights or its licence forbid it', () => {
  const open = { rights: 'installable', maySubset: true, onlyBitmaps: false } as const
  const cases: [Parameters<typeof webObstacle>[0], RegExp | undefined][] = [
    [{}, undefined],
    [{ embedding: open }, undefined],
    [{ embedding: { ...open, rights: 'restricted' } }, /forbid embedding/],
    [{ embedding: { ...open, onlyBitmaps: true } }, /only bitmaps/],
    [{ embedding: { ...open, rights: 'preview' } }, undefined],
    [
      { license: 'You may print. Use on a website requires a separate licence.' },
      /"Use on a website requires a separate/,
    ],
    [{ license: 'This font may not be embedded with @font-face.' }, /may not be embedded/],
    [{ license: 'SIL Open Font License, Version 1.1. This license is at https://openfontlicense.org' }, undefined],
    [{ license: 'Licensed for desktop, web and apps. It may not be sold by itself.' }, undefined],
  ]
  for (const [facts, expected] of cases)
    if (expected) assert.match(webObstacle(facts) ?? '', expected)
    else assert.equal(webObstacle(facts), undefined, JSON.stringify(facts))
})
