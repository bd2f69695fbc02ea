import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { interWith, nameTable, variableInter } from '#test/support/fonts.ts'
import { servedBrand } from '#test/support/service.ts'

const HOSTILE = '"><script>alert(1)</script>'
const PLEX = 'node_modules/@ibm/plex-sans/fonts'
const { ask } = await servedBrand({
  'fonts/files/inter.ttf': variableInter([['wght', 100, 400, 900]]),
  'fonts/files/fraunces.woff2': readFileSync(
    'node_modules/@fontsource-variable/fraunces/files/fraunces-latin-full-normal.woff2',
  ),
  'fonts/files/axis.ttf': variableInter([['"};a', 0, 1, 2]]),
  'fonts/files/parts/cyrillic.woff2': readFileSync(`${PLEX}/split/woff2/IBMPlexSans-Regular-Cyrillic.woff2`),
  'fonts/files/parts/latin.woff2': readFileSync(`${PLEX}/split/woff2/IBMPlexSans-Regular-Latin1.woff2`),
  'fonts/files/cyrillic.woff2': readFileSync(`${PLEX}/split/woff2/IBMPlexSans-Bold-Cyrillic.woff2`),
  'fonts/files/files.yaml':
    'axis.ttf: { family: Hostile }\nparts/cyrillic.woff2: { family: Parts }\nparts/latin.woff2: { family: Parts }\ncyrillic.woff2: { family: Кириллица }\n',
  'fonts/files/hostile.ttf': interWith({
    name: nameTable([
      [3, 0x409, 1, `Acme ${HOSTILE}`],
      [3, 0x409, 0, HOSTILE],
      [3, 0x409, 13, HOSTILE],
      [3, 0x409, 14, 'javascript:alert(1)'],
    ]),
  }),
  'fonts/files/plex/regular.woff2': readFileSync(`${PLEX}/complete/woff2/IBMPlexSans-Regular.woff2`),
  'fonts/files/plex/regular.woff': readFileSync(`${PLEX}/complete/woff/IBMPlexSans-Regular.woff`),
  'fonts/files/plex/bold.woff2': readFileSync(`${PLEX}/complete/woff2/IBMPlexSans-Bold.woff2`),
})
const { text } = await ask('/acme/fonts/-/type')

/** The section of the page for a family. */
function specimenOf(family: string): string {
  const start = text.search(new RegExp(`<section class="specimen"><h3><a href="[^"]*">${family}`))
  assert.ok(start > 0, family)
  return text.slice(start, text.indexOf('</section>', start))
}

test('a font in several formats has one line, and the family can be downloaded as one archive', async () => {
  const plex = specimenOf('IBM Plex Sans')
  assert.equal(plex.match(/<li><span class="family/g)?.length, 2)
  assert.match(
    plex,
    /Regular<\/span>\n<span class="quiet">400<\/span> <a href="[^"]*regular\.woff".*<a href="[^"]*regular\.woff2"/,
  )
  const [, address = ''] = /href="([^"]*files\.zip[^"]*)"/.exec(plex) ?? []
  const archive = await ask(address.replaceAll('&#38;', '&'))
  assert.deepEqual([archive.status, archive.headers.get('content-type')], [200, 'application/zip'])
})

test('a variable font has a line for each hundred of its axis', () => {
  const seen = Array.from(specimenOf('Inter').matchAll(/class="family-\d+ weight-(\d+)">(\w+)</g), found =>
    found.slice(1).join(' '),
  )
  assert.deepEqual(seen, [
    '100 Thin',
    '200 ExtraLight',
    '300 Light',
    '400 Regular',
    '500 Medium',
    '600 SemiBold',
    '700 Bold',
    '800 ExtraBold',
    '900 Black',
  ])
})

test('a variable font has the range of its weights instead of its default weight, wherever it is named', async () => {
  const [list, file] = await Promise.all(['files', 'file/inter.ttf'].map(path => ask(`/acme/fonts/-/${path}`)))
  assert.match(specimenOf('Inter'), /<p class="quiet">Variable, 100–900 <a href="[^"]*inter\.ttf"/)
  assert.match(list?.text ?? '', /<span class="file-name">Inter<.*?<p class="quiet">Variable, 100–900<\/p>/s)
  assert.match(file?.text ?? '', /<h1>Inter<\/h1>.*<dt>Weight<\/dt><dd>Variable, 100–900<\/dd>/s)
})

test('a variable font has sliders for its axes, and instances of them for readers without scripts', async () => {
  const fraunces = specimenOf('Fraunces')
  const seen = Array.from(
    fraunces.matchAll(/<label>([\w ]+) <input type="range" (.*?) aria/g),
    ([, name, range]) => `${name}: ${range}`,
  )
  assert.deepEqual(seen, [
    'Size: min="12" max="160" step="1" value="48" data-sets="fontSize" data-unit="px"',
    'Leading: min="0.8" max="2" step="0.05" value="1.2" data-sets="lineHeight"',
    'Optical size: min="9" max="144" step="1" value="48" data-axis="opsz"',
    'Weight: min="100" max="900" step="1" value="400" data-sets="fontWeight"',
    'Softness: min="0" max="100" step="1" value="0" data-axis="SOFT"',
    'Wonky: min="0" max="1" step="0.01" value="1" data-axis="WONK"',
  ])
  const shown = Array.from(
    fraunces.matchAll(/ (axis-[\w-]+)" translate="no">Fraunces<\/span>\n<span class="quiet">(.*?)</g),
    found => found.slice(1).join(' '),
  )
  assert.deepEqual(shown, [
    'axis-opsz-9 Optical size 9',
    'axis-opsz-77 Optical size 77',
    'axis-opsz-144 Optical size 144',
    'axis-SOFT-0 Softness 0',
    'axis-SOFT-50 Softness 50',
    'axis-SOFT-100 Softness 100',
    'axis-WONK-0 Wonky 0',
    'axis-WONK-1 Wonky 1',
  ])
  const sheet = (await ask('/acme/fonts/-/type.css')).text
  assert.ok(sheet.includes('.axis-SOFT-50{font-variation-settings:"SOFT" 50}\n'))
  assert.match(sheet, /\.names \.name-\d+\{font-size:min\(28\.49cqi,70vh\);.*font-variation-settings:"opsz" 144\}/)
})

test('a font in parts has the features and name of the part with the letters of its name', async () => {
  assert.ok(specimenOf('Parts').includes('<code>zero</code>'))
  const [, number = ''] = /id="try-(\d+)"/.exec(specimenOf('Parts')) ?? []
  assert.match((await ask('/acme/fonts/-/type.css')).text, new RegExp(`\\.name-${number}\\{font-size:min\\(`))
})

test('a font without Latin letters shows its own letters', () => {
  assert.match(specimenOf('Кириллица'), /<p class="letters [^>]*><span>А Б В Г Д [\p{L} ]+<\/span>/u)
})

test('an axis needs a tag of four letters or digits to appear in a specimen', () => {
  assert.doesNotMatch(specimenOf('Hostile'), /data-axis|axis-/)
})

test('font metadata is shown as text, and as a link only if it is a web address', () => {
  const hostile = specimenOf('Acme')
  assert.ok(!hostile.includes('<script'))
  assert.ok(hostile.includes('<dt>Copyright</dt><dd>&#34;&#62;&#60;script&#62;'))
  assert.ok(hostile.includes(' javascript:alert(1)</dd>') && !hostile.includes('href="javascript'))
})
