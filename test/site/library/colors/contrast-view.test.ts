import assert from 'node:assert/strict'
import test from 'node:test'
import { contrastOf } from '#brand/styles/contrast.ts'
import { servedBrand } from '#test/support/service.ts'

const COUNT = 10_000
const hexOf = (at: number) => `#${((at * 1_677_719) % 0x1000000).toString(16).padStart(6, '0')}`
const colors = Array.from({ length: COUNT }, (_, at) => `- { name: Colour ${at}, hex: '${hexOf(at)}' }\n`)
const { ask } = await servedBrand({ 'many/styles/colors.yaml': colors.join('') })
const PLACE = '/acme/many/-/contrast/colour-5000'
const GROUND = hexOf(5000)

/** The numbers of the colours on a page, keyed by heading. */
async function listColors(path: string): Promise<Map<string, number[]>> {
  const { status, text } = await ask(path)
  assert.equal(status, 200)
  const [, ...sections] = text.split('<h2>')
  const numbers = (section: string) => Array.from(section.matchAll(/>Colour (\d+)</g), ([, number]) => Number(number))
  return new Map(sections.map(section => [section.split('</h2>')[0] ?? '', numbers(section)]))
}

test('the page of a colour has the 1,000 others with the most contrast, and a link to all colours', async () => {
  const others = colors.map((_, at) => at).filter(at => at !== 5000)
  const byContrast = others.toSorted((a, b) => contrastOf(hexOf(b), GROUND).ratio - contrastOf(hexOf(a), GROUND).ratio)
  assert.deepEqual([...(await listColors(PLACE)).values()].flat(), byContrast.slice(0, 1000))
  const { text } = await ask(PLACE)
  const file = '<a href="/acme/many/-/exports/colors.csv">One file</a>'
  assert.ok(text.includes(`<p class="quiet">These are the first 1,000 of 9,999. ${file} has all of them.</p>`))
  assert.match(text, new RegExp(`<link rel="canonical" href="http://brand.test${PLACE}">`))
  assert.equal((await ask(`${PLACE}?page=2`)).text, text)
})

test('the list of very many colours ends after 1,000, with a link to all', async () => {
  const { text } = await ask('/acme/many/-/colors')
  assert.equal(text.match(/<li id="color-colour-\d+"/g)?.length, 1000)
  const file = '<a href="/acme/many/-/exports/colors.csv">One file</a>'
  assert.ok(text.includes(`<p class="quiet">These are the first 1,000 of 10,000. ${file} has all of them.</p>`))
  assert.equal((await ask('/acme/many/-/colors?page=2')).text, text)
})
