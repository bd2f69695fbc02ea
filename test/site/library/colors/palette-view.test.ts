import assert from 'node:assert/strict'
import test from 'node:test'
import { contrastOf } from '#brand/styles/contrast.ts'
import { servedBrand } from '#test/support/service.ts'

const GROUPED = `
- { name: Paper, hex: "#faf7f2", group: "Core <b>", proportion: 60, pms: 9224 C, cmyk: [0, 1, 3, 2] }
- { name: Ink, hex: "#14212b", group: "Core <b>", proportion: 30, on: [paper] }
- { name: Red, hex: "#cc3a06", group: "Core <b>", proportion: 10 }
- { name: Sky, hex: "#bfe3ff", group: 空 }
- { name: Grey, hex: "#808080" }
`
const MANY = Array.from({ length: 400 }, (_, at) => `- { name: Grey ${at}, rgb: "${at % 256}, 9, 9", group: Greys }\n`)
const { ask } = await servedBrand({
  'grouped/styles/colors.yaml': GROUPED,
  'grouped/pages/night.md': '---\nground: ink\n---\n# Night\n',
  'grouped/pages/palette.md': '# Palette\n\n[Colours](../styles/colors.yaml)\n',
  'grouped/pages/stage.md':
    '# Stage\n\n[Core](../styles/colors.yaml?stage#core-b)\n\n[All](../styles/colors.yaml?stage)\n',
  'plain/styles/colors.yaml': '- { name: Ink, hex: "#14212b" }\n- { name: All, hex: "#fff", group: All }\n',
  'single/styles/colors.yaml': '- { name: Ink, hex: "#14212b" }\n- { name: Paper, hex: "#fff" }\n',
  'long/styles/colors.yaml': '- { name: Ink, hex: "#14212b", group: Kommunikation }\n',
  'many/styles/colors.yaml': MANY.join(''),
})

test('the list of colours and a palette in a page link to the stage of each group by its name', async () => {
  const stages = [
    ['/acme/grouped/-/colors/core-b', 'Core &#60;b&#62;'],
    [`/acme/grouped/-/colors/${encodeURIComponent('空')}`, '空'],
    ['/acme/grouped/-/colors/all', 'Other colours'],
  ] as const
  const [list, page] = [await ask('/acme/grouped/-/colors'), await ask('/acme/grouped/palette')]
  for (const [path, name] of stages) {
    assert.ok(list.text.includes(`<a class="to-stage" href="${path}">${name}</a>`), name)
    assert.match(
      page.text,
      new RegExp(`<a href="${path}"[^>]*>${name.replace(/&#60;/, '&#x3C;').replace(/&#62;/, '>')}</a>`),
    )
    const { status, text } = await ask(path)
    assert.equal(status, 200)
    assert.ok(text.includes(`<h1>${name}</h1>`) && text.includes('href="/acme/grouped/-/colors">Colours</a>'))
  }
})

test('a stage is an area in the proportions of its colours, with all values of each', async () => {
  const { text } = await ask('/acme/grouped/-/colors/core-b')
  const areas = text.matchAll(/<svg x="(.*?)%" y="(.*?)%" width="(.*?)%" height="(.*?)%"><rect .*? fill="(.*?)">/g)
  const seen = Array.from(areas, ([, x, y, width, height, fill]) => [fill, x, y, width, height])
  assert.deepEqual(seen, [
    ['#faf7f2', '0', '0', '60', '100'],
    ['#14212b', '60', '0', '40', '75'],
    ['#cc3a06', '60', '75', '40', '25'],
  ])
  for (const value of ['#faf7f2', '250,247,242', '9224 C', '0,1,3,2'])
    assert.ok(text.includes(`<dd>${value}<button type="button" class="copy"`), value)
})

test('a stage shows each pair of its colours, also with others, that has enough contrast for text', async () => {
  const { text } = await ask('/acme/grouped/-/colors/core-b')
  const pairs = Array.from(text.matchAll(/fill="(#\w+)"><rect fill="(#\w+)"><\/rect><text>/g), ([, ...pair]) => pair)
  const hexes = GROUPED.match(/#\w{6}/g) ?? []
  const passing = hexes.flatMap((letters, at) =>
    hexes
      .filter((ground, groundAt) => Math.min(at, groundAt) < 3 && contrastOf(letters, ground).ratio >= 4.5)
      .map(ground => [letters, ground]),
  )
  assert.deepEqual(pairs.map(String).sort(), passing.map(String).sort())
  assert.ok(text.includes('<p>Ink on Paper</p><p>15.32 <b>AAA</b></p>'))
})

test('colours without a group have one stage, also next to a group named All, and an unknown group has none', async () => {
  const names = async (path: string) =>
    Array.from((await ask(path)).text.matchAll(/<li id="[^"]*"|<li class=.*?>([^<>]+)<\/a>/g), ([, name]) => name)
  for (const [path, expected] of [
    ['/acme/single/-/colors/all', ['Ink', 'Paper']],
    ['/acme/plain/-/colors/_', ['Ink']],
    ['/acme/plain/-/colors/all', ['All']],
  ] as const)
    assert.deepEqual(await names(path), expected, path)
  for (const path of ['/acme/single/-/colors/_', '/acme/plain/-/colors/none', '/acme/plain/-/colors/core/ink'])
    assert.equal((await ask(path)).status, 404, path)
})

test('the stage of very many colours shows the first ones and the pairs with the most contrast', async () => {
  const { status, text } = await ask('/acme/many/-/colors/greys')
  const seen = [status, text.match(/<dt>Hex<\/dt>/g)?.length, text.match(/ on Grey/g)?.length]
  assert.deepEqual(seen, [200, 300, undefined])
})

test('a link to colours alone in a paragraph shows their stage, without headings, if it asks for it', async () => {
  const { text } = await ask('/acme/grouped/stage')
  const stages = text.split('<p class="stages">').slice(1)
  const facts = stages.map(stage => [
    /^<a class="to-stage" href="(.*?)">(.*?)<\/a>/.exec(stage)?.slice(1),
    stage.match(/<dt>Hex<\/dt>/g)?.length,
    stage.match(/<p><b>AAA/g)?.length,
  ])
  assert.deepEqual(facts, [
    [['/acme/grouped/-/colors/core-b', 'Core &#x3C;b>'], 3, 1],
    [['/acme/grouped/-/colors', 'Colours'], 5, 1],
  ])
  assert.doesNotMatch(stages.join(''), /<h\d/)
})

test('the name of a group is never broken on its stage or in the list', async () => {
  const [stage, list] = [await ask('/acme/long/-/colors/kommunikation'), await ask('/acme/long/-/colors')]
  assert.ok(stage.text.includes('<h1 class="fit word-14"><span>Kommunikation</span></h1>'))
  assert.ok(list.text.includes('<h2 class="fit word-14" id="group-kommunikation"><a '))
})

test('a colour has a page with its values, recommended pairs, contrast with its group and others, and uses', async () => {
  const { text } = await ask('/acme/grouped/-/contrast/ink')
  assert.ok(text.includes('href="/acme/grouped/-/colors/core-b">Core &#60;b&#62;</a></li></ol></nav>\n<h1>Ink</h1>'))
  assert.ok(text.includes('<dd>20,33,43<button type="button" class="copy"'))
  const parts = (text.split('<footer>')[0] ?? '').split('<h2>').slice(1)
  const seen = parts.map(part => [
    part.split('<')[0],
    Array.from(part.matchAll(/<p>(?:<a .*?>)?([A-Z][^<]*)</g), ([, name]) => name),
  ])
  assert.deepEqual(seen, [
    ['Recommended pairs', ['Ink on Paper']],
    ['Core &#60;b&#62;', ['Paper', 'Red']],
    ['Contrast with other colours', ['Sky', 'Grey']],
    ['Used in', []],
  ])
  const names = Array.from(parts[3]?.matchAll(/<li><a .*?>(.*?)</g) ?? [], ([, name]) => name)
  assert.deepEqual(names, ['Night', 'Stage'])
  const canonical = '<link rel="canonical" href="http://brand.test/acme/grouped/-/contrast/ink">'
  for (const path of ['contrast/ink', 'colors/ink'])
    assert.ok((await ask(`/acme/grouped/-/${path}`)).text.includes(canonical))
})
