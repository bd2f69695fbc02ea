import assert from 'node:assert/strict'
import test from 'node:test'
import { contrastOf } from '../../../../src/brand/styles/contrast.ts'
import { colorDistance } from '../../../../src/site/library/colors/contrast-view.ts'
import { fc } from '../../../support/random.ts'
import { testService } from '../../../support/service.ts'
import { temporaryStore } from '../../../support/temporary-store.ts'

const COUNT = 10_000
const hexOf = (at: number) => `#${((at * 1_677_719) % 0x1000000).toString(16).padStart(6, '0')}`
const colors = Array.from({ length: COUNT }, (_, at) => `- { name: Colour ${at}, hex: '${hexOf(at)}' }\n`)
const pages = Array.from({ length: 300 }, (_, at) => [`many/pages/p${at}.md`, `# Page ${at}\n`])
const temporary = await temporaryStore()
await temporary.importing('acme', {
  'many/project.yaml': 'visibility: public\n',
  'many/styles/colors.yaml': colors.join(''),
  'few/project.yaml': 'visibility: public\n',
  'few/styles/colors.yaml': colors.slice(0, 201).join(''),
  ...Object.fromEntries(pages),
})
for (const project of ['many', 'few']) await temporary.publish(`acme/${project}`)
const { ask } = await testService(temporary)
const PLACE = '/acme/many/-/contrast/colour-5000'
const GROUND = hexOf(5000)

/** The numbers of the colours on a page, keyed by heading. */
async function listColors(path: string): Promise<Map<string, number[]>> {
  const { status, text } = await ask(path)
  assert.equal(status, 200)
  const [, ...sections] = text.split('<h2>')
  const numbers = (section: string) =>
    Array.from(section.matchAll(/#color-colour-(\d+)"/g), ([, number]) => Number(number))
  return new Map(sections.map(section => [section.split('</h2>')[0] ?? '', numbers(section)]))
}

test('the first page of many colours has the hundred with the most contrast, and the hundred most similar others', async () => {
  const others = colors.map((_, at) => at).filter(at => at !== 5000)
  const byContrast = others.toSorted((a, b) => contrastOf(hexOf(b), GROUND).ratio - contrastOf(hexOf(a), GROUND).ratio)
  const byDistance = byContrast
    .slice(100)
    .toSorted((a, b) => colorDistance(hexOf(a), GROUND) - colorDistance(hexOf(b), GROUND))
  assert.deepEqual(
    [...(await listColors(PLACE))],
    [
      ['Strongest contrast', byContrast.slice(0, 100)],
      ['Most similar colours', byDistance.slice(0, 100)],
    ],
  )
  assert.match(
    (await ask(PLACE)).text,
    /The 100 colours with the strongest contrast come first, then the 100 most similar ones/,
  )
})

test('each page has 200 of many colours in less than 100 KB, and every colour is on one page', async () => {
  const found: number[] = []
  for (let page = 1; page <= 50; page++) {
    const path = page === 1 ? PLACE : `${PLACE}?page=${page}`
    const { bytes } = await ask(path)
    assert.ok(bytes.length < 100_000, `page ${page} has ${bytes.length} bytes`)
    const numbers = [...(await listColors(path)).values()].flat()
    assert.equal(numbers.length, page === 50 ? 199 : 200)
    found.push(...numbers)
  }
  assert.equal(new Set(found).size, COUNT - 1)
  const rest = found.slice(200).map(at => contrastOf(hexOf(at), GROUND).ratio)
  assert.deepEqual(
    rest,
    rest.toSorted((a, b) => b - a),
  )
})

test('the pages of a list link to each other, and each has its own canonical address', async () => {
  const { text } = await ask(`${PLACE}?page=2`)
  assert.match(text, new RegExp(`<a rel="prev" href="${PLACE}">`))
  assert.match(text, new RegExp(`<a rel="next" href="${PLACE}\\?page=3">`))
  assert.match(text, new RegExp(`<link rel="canonical" href="http://brand.test${PLACE}\\?page=2">`))
  assert.match(text, /<title>Contrast with Colour 5000, page 2 – /)
  const first = await ask(`${PLACE}?page=1&x=2`)
  assert.deepEqual([first.status, first.text], [200, (await ask(PLACE)).text])
  assert.match(first.text, new RegExp(`<link rel="canonical" href="http://brand.test${PLACE}">`))
})

test('pages beyond the last one or with an invalid number do not exist', async () => {
  for (const page of ['51', '0', 'x', '1e9', '-1', ''])
    assert.equal((await ask(`${PLACE}?page=${page}`)).status, 404, page)
})

test('a link to a colour points to its page of the list', async () => {
  const { text } = await ask(PLACE)
  const links = Array.from(text.matchAll(/href="([^"]*\/-\/colors[^"]*)#(color-colour-\d+)"/g), ([, path, id]) => [
    path,
    id,
  ])
  assert.equal(links.length, 201)
  for (const [path = '', id] of links.slice(0, 20))
    assert.ok((await ask(path)).text.includes(`<li id="${id}"`), `${path}#${id}`)
})

test('up to 200 other colours are on one page, grouped by level', async () => {
  const few = await listColors('/acme/few/-/contrast/colour-7')
  assert.deepEqual(
    [...few.keys()],
    ['AAA: 7 or more', 'AA: 4.5 or more', 'AA for large text only: 3 or more', 'Fails: less than 3'].filter(name =>
      few.has(name),
    ),
  )
  assert.equal([...few.values()].flat().length, 200)
  assert.equal((await ask('/acme/few/-/contrast/colour-7?page=2')).status, 404)
})

const roundedDistance = (one: string, other: string) => Number(colorDistance(one, other).toFixed(3))

/* Oklab of red is 0.628, 0.2249, 0.1258; of green 0.8664, -0.2339, 0.1795; of blue 0.452, -0.0325, -0.3115 (CSS Color 4). */
test('the distance of two colours is their distance in Oklab', () => {
  assert.deepEqual(
    [
      roundedDistance('#000000', '#ffffff'),
      roundedDistance('#ff0000', '#00ff00'),
      roundedDistance('#ff0000', '#0000ff'),
      roundedDistance('#000000', '#ff0000'),
    ],
    [1, 0.52, 0.537, 0.679],
  )
})

test('the distance of a colour to itself is zero, and distances are symmetric', () => {
  const hex = fc.integer({ min: 0, max: 0xffffff }).map(number => `#${number.toString(16).padStart(6, '0')}`)
  fc.assert(
    fc.property(hex, hex, (one, other) => {
      assert.equal(colorDistance(one, one), 0)
      assert.equal(colorDistance(one, other), colorDistance(other, one))
      assert.equal(colorDistance(one, other) > 0, one !== other)
    }),
  )
})
