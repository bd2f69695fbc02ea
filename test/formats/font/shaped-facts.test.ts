import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { type FontFacts, fontFacts } from '#formats/font/font-facts.ts'
import { openFont } from '#formats/font/open-font.ts'
import { shapedFacts } from '#formats/font/shaped-facts.ts'
import { unpackFont } from '#formats/font/unpack-font.ts'
import { needs } from '../../support/programs.ts'

const PLEX = 'examples/acme/guidelines/files/fonts/IBMPlexSans-Regular-Latin1.woff2'
const VARIABLE = 'node_modules/@fontsource-variable'

async function factsOf(path: string, family: string): Promise<{ before: FontFacts; after: FontFacts }> {
  const unpacked = await unpackFont(readFileSync(path))
  assert.ok(unpacked.ok)
  const font = await openFont(unpacked.value)
  assert.ok(font.ok)
  const before = fontFacts(font.value)
  return { before, after: await shapedFacts(before, unpacked.value, family) }
}

function tagsOf({ features }: FontFacts): string {
  return features.map(({ tag }) => tag).join(' ')
}

test('only features that change a glyph are kept, each with a sample that it changes', async () => {
  const { before, after } = await factsOf(PLEX, 'IBM Plex Sans')
  // The figures of this font are lining figures, and scripts apply the other hidden features.
  assert.equal(tagsOf(before), 'frac liga lnum onum ordn salt sinf ss01 ss02 ss03 ss04 ss05 subs sups zero')
  assert.equal(tagsOf(after), 'frac liga onum ordn salt sinf ss01 ss02 ss03 ss04 ss05 subs sups zero')
  const samples = new Map(after.features.map(({ tag, sample }) => [tag, sample]))
  const seen = ['frac', 'liga', 'ss01', 'zero'].map(tag => samples.get(tag))
  assert.deepEqual(seen, ['1/2 3/4 27/180', 'fi', 'a à á â ã ä å', '0'])
})

test('a variable font in WOFF2 keeps only features that change a glyph', async () => {
  const inter = await factsOf(`${VARIABLE}/inter/files/inter-latin-standard-normal.woff2`, 'Inter')
  assert.deepEqual([tagsOf(inter.before), tagsOf(inter.after)], ['frac pnum tnum', 'frac tnum'])
})

test('the width of a family name is measured in regular weight and the largest optical size', async () => {
  const width = async (path: string, family: string) => (await factsOf(path, family)).after.nameWidth
  assert.equal(await width(PLEX, 'IBM Plex Sans'), 6.429)
  assert.equal(await width(`${VARIABLE}/fraunces/files/fraunces-latin-full-normal.woff2`, 'Fraunces'), 3.5025)
  for (const family of ['', 'Плекс']) assert.equal(await width(PLEX, family), undefined)
})

test('a font without Arabic letters has no mean width of them', async () => {
  assert.equal((await factsOf(PLEX, 'Noto')).after.arabicWidth, undefined)
})

const NASKH = '/usr/share/fonts/truetype/noto/NotoNaskhArabic-Regular.ttf'

test('the mean width of Arabic letters is measured as they join', needs('Noto Arabic fonts'), async () => {
  const { arabicWidth = 0 } = (await factsOf(NASKH, 'Noto')).after
  assert.ok(arabicWidth > 0.3 && arabicWidth < 0.6, `${arabicWidth}`)
})
