import assert from 'node:assert/strict'
import test from 'node:test'
import { servedBrand } from '#test/support/service.ts'

const COLORS = `
- name: "Blue <b>"
  id: blue
  hex: "#1D70B8"
  cmyk: [84, 39, 0, 28]
  pms: "285 \\"C\\""
  pms2: 2172 U
  ral: RAL 5015
  inks: { HKS: 41 K, "<b>": 0123 }
- name: 色
  rgb: 255, 255, 255
`
const GROUPED = `
- { name: Ink, hex: "#14212b", group: Core, use: "Letters <b>", proportion: 40, "on": [paper] }
- { name: Ink 50, hex: "#899095", tintOf: ink }
- { name: Beech, hex: "#dbb48a", group: Wood }
- { name: Paper, hex: "#faf7f2", group: Core, proportion: 60 }
`
const many = Array.from({ length: 30 }, (_, at) => `- name: Grey ${at}\n  rgb: ${at}, ${at}, ${at}\n`)
const { ask } = await servedBrand({
  'open/project.yaml': 'name: Open\nvisibility: public\n',
  'open/styles/colors.yaml': COLORS,
  'many/styles/colors.yaml': many.join(''),
  'grouped/styles/colors.yaml': GROUPED,
  'schemes/styles/colors.yaml':
    '- { name: Ink, hex: "#14212b", dark: 8ab8ee, on: paper }\n- { name: Paper, hex: faf7f2 }\n',
  'none/project.yaml': 'visibility: public\n',
})

test('a tile shows every authored value, escaped, and OKLCH, but no computed print value and no verdict', async () => {
  const { status, text } = await ask('/acme/open/-/colors')
  assert.equal(status, 200)
  const [, blue = '', white = ''] = text.slice(0, text.indexOf('class="picker"')).split('<li id="color-')
  assert.deepEqual(valuesIn(blue), [
    ['Hex', '#1d70b8'],
    ['RGB', '29,112,184'],
    ['OKLCH', '53.47% 0.136 249.88'],
    ['CMYK', '84,39,0,28'],
    ['PMS', '285 &#34;C&#34;'],
    ['PMS 2', '2172 U'],
    ['RAL', '5015'],
    ['HKS', '41 K'],
    ['&#60;b&#62;', '0123'],
  ])
  assert.ok(blue.includes('/-/contrast/blue">Blue &#60;b&#62;</a>') && blue.includes('fill="#1d70b8"'))
  assert.ok(blue.includes('data-copy="" aria-label="Copy 285 &#34;C&#34;"'))
  assert.ok(blue.includes('data-copy="oklch(53.47% 0.136 249.88)" aria-label="Copy oklch(53.47% 0.136 249.88)"'))
  assert.deepEqual(valuesIn(white), [
    ['Hex', '#ffffff'],
    ['RGB', '255,255,255'],
    ['OKLCH', '100% 0 0'],
  ])
  assert.match(text, /Screens can only approximate them/)
})

test('the tile of a colour with a value on dark grounds has two halves, and its pairs and contrasts are for both schemes', async () => {
  const { text } = await ask('/acme/schemes/-/colors')
  const [, ink = '', paper = ''] = text.slice(0, text.indexOf('id="pairs"')).split('<li id="color-')
  const [light = '', dark = ''] = ink.split('<div class="on-dark black-letters">')
  assert.deepEqual(valuesIn(light)[0], ['Hex', '#14212b'])
  assert.match(dark, /^<svg aria-hidden="true" fill="#8ab8ee"><rect><\/rect><\/svg><p>Dark<\/p>/)
  assert.deepEqual(valuesIn(dark), [
    ['Hex', '#8ab8ee'],
    ['RGB', '138,184,238'],
    ['OKLCH', '77.01% 0.0921 252.93'],
  ])
  assert.doesNotMatch(paper, /on-dark/)
  const pairs = text.slice(text.indexOf('id="pairs"'), text.indexOf('id="contrast"'))
  assert.match(
    pairs,
    /Ink on Paper<\/p><p>15.32 <b>AAA<\/b><\/p><\/li>.*Ink on Paper<\/p><p>1.93 <b>fails<\/b><\/p><p>Dark<\/p>/s,
  )
  assert.match(text, /<h2 id="contrast-dark">Contrast between colours · Dark<\/h2>/)
  assert.match((await ask('/acme/schemes/-/contrast/paper')).text, /<h2>Contrast between colours · Dark<\/h2>/)
  assert.match((await ask('/acme/schemes/-/use')).text, /tokens.resolver.json/)
  assert.doesNotMatch((await ask('/acme/grouped/-/use')).text, /tokens.resolver.json|tokens.dark.json/)
})

test('the switch of formats offers CMYK only if a colour has it', async () => {
  const formats = async (path: string) => (await ask(path)).text.match(/(?<=name="format" value=")\w+/g)
  assert.deepEqual(await formats('/acme/open/-/colors'), ['hex', 'rgb', 'cmyk', 'oklch'])
  assert.deepEqual(await formats('/acme/grouped/-/colors'), ['hex', 'rgb', 'oklch'])
  assert.equal(await formats('/acme/none/-/colors'), null)
})

test('a few colours are in a table with the contrast of every two', async () => {
  const { text } = await ask('/acme/open/-/colors')
  const table = text.slice(text.indexOf('<table class="contrast"'), text.indexOf('</table>'))
  assert.equal(table.match(/5\.16<br>AA</g)?.length, 2)
})

test('authored groups have their tints below them, and the page shows authored proportions and pairs', async () => {
  const { text } = await ask('/acme/grouped/-/colors')
  const order = Array.from(
    text.matchAll(/<h2 id="([^"]+)|<p class="tile-name">(Tints of Ink)|<li id="(color-[^"]+)/g),
    found => found.slice(1).find(part => part !== undefined),
  )
  assert.deepEqual(order, [
    'group-core',
    'color-ink',
    'color-paper',
    'Tints of Ink',
    'color-ink-50',
    'group-wood',
    'color-beech',
    'picker',
    'pairs',
    'contrast',
  ])
  assert.ok(text.includes('<p class="use">Letters &#60;b&#62;</p>'))
  assert.match(text, /width="60%" height="100%"><rect .*? fill="#faf7f2">.* width="40%" .*? fill="#14212b">/)
  assert.match(text, /<li id="color-ink" class="letters-paper">.*Ink<\/a><\/p><p class="use">40%<\/p>/)
  assert.match(text, /<ul class="tiles ramp">\n<li id="color-ink-50" class="letters-ink">/)
  assert.ok(text.includes('<p>Ink on Paper</p><p>15.32 <b>AAA</b></p>'))
})

test('each of many colours links to a page with its contrast to the others, closed if it is too low', async () => {
  const { text } = await ask('/acme/many/-/colors')
  assert.ok(
    !text.includes('<table') &&
      text.includes('<h2 id="group-grey"><a class="to-stage" href="/acme/many/-/colors/grey">Grey</a></h2>'),
  )
  assert.ok(text.includes('href="/acme/many/-/contrast/grey-7"'))
  const { status, text: page } = await ask('/acme/many/-/contrast/grey-7')
  assert.equal(status, 200)
  assert.equal(page.match(/href="\/acme\/many\/-\/contrast\/grey-\d+">Grey/g)?.length, 29)
  assert.match(
    page,
    /<h2>Contrast with other colours<\/h2>\n<details class="failing"><summary>Fails: less than 3 \(29\)</,
  )
})

test('a colour with a name in any script has a page, and an unknown colour has none', async () => {
  const { status, text } = await ask(`/acme/open/-/contrast/${encodeURIComponent('色')}`)
  assert.deepEqual([status, /<ul class="pairs mutual">.*<\/svg><svg .*5\.16 <b>AA<\/b>/.test(text)], [200, true])
  assert.equal((await ask('/acme/open/-/contrast/none')).status, 404)
})

test('a guide without colours says so', async () => {
  const { status, text } = await ask('/acme/none/-/colors')
  assert.deepEqual([status, text.includes('This guide has no colours.')], [200, true])
})

function valuesIn(text: string): string[][] {
  return [...text.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)].map(([, label = '', value = '']) => [
    label,
    value.replace(/<button.*/, ''),
  ])
}
