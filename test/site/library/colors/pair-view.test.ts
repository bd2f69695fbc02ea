import assert from 'node:assert/strict'
import test from 'node:test'
import { servedBrand } from '#test/support/service.ts'

const COLORS = `
- { name: "Ink <b>", id: ink, hex: "#14212b", group: "Core <i>" }
- { name: Grey, hex: "#767676" }
- { name: Paper, hex: "#ffffff", group: "Core <i>" }
- { name: 色, hex: "#949494", "on": [paper] }
`
const TYPES = `
- { name: Big, size: 40, sample: "Made <b> to last" }
- { name: Small, size: 14, sample: Kept sharp }
- { name: Text, size: 16, sample: Body sample }
`
const { ask } = await servedBrand({
  'open/project.yaml': 'visibility: public\ntheme: { text: ink, ground: paper, body: text }\n',
  'open/styles/colors.yaml': COLORS,
  'open/styles/types.yaml': TYPES,
  'plain/styles/colors.yaml': COLORS,
  'far/styles/colors.yaml':
    '- { name: Light, hex: "#eeeeee" }\n- { name: White, hex: "#ffffff" }\n- { name: Dark, hex: "#222222" }\n',
  'one/styles/colors.yaml': '- { name: Ink, hex: "#14212b" }\n',
})

/** The chosen ids of a page, its contrast, and its levels for text, large text and graphics. */
async function judged(path: string): Promise<string[]> {
  const { status, text } = await ask(path)
  assert.equal(status, 200, path)
  const chosen = Array.from(text.matchAll(/<option value="([^"]+)"[^>]* selected>/g), ([, id = '']) => id)
  const verdicts = text.slice(text.indexOf('<output class="verdicts"'))
  return [...chosen, ...Array.from(verdicts.matchAll(/<b[^>]*>([^<]+)<\/b>/g), ([, level = '']) => level)]
}

test('a query chooses two colours, which get verdicts for text, large text and graphics', async () => {
  const address = '/acme/open/-/contrast'
  const cases = [
    ['?text=ink&ground=paper', ['ink', 'paper', '16.37', 'AAA', 'AAA', 'AA']],
    ['?ground=paper&text=grey', ['grey', 'paper', '4.54', 'AA', 'AAA', 'AA']],
    [`?text=${encodeURIComponent('色')}&ground=paper`, ['色', 'paper', '3.03', 'fails', 'AA', 'AA']],
    ['?text=grey&ground=grey', ['grey', 'grey', '1.00', 'fails', 'fails', 'fails']],
  ] as const
  for (const [query, verdicts] of cases) assert.deepEqual(await judged(address + query), verdicts, query)
})

test('without a choice, the pair is the theme’s, else the first recommended one, else one with strong contrast', async () => {
  assert.deepEqual((await judged('/acme/open/-/contrast')).slice(0, 2), ['ink', 'paper'])
  assert.deepEqual((await judged('/acme/open/-/contrast?text=&ground=grey&page=7')).slice(0, 2), ['ink', 'grey'])
  assert.deepEqual((await judged('/acme/plain/-/contrast')).slice(0, 2), ['色', 'paper'])
  assert.deepEqual((await judged('/acme/far/-/contrast')).slice(0, 2), ['light', 'dark'])
})

test('the sample has the text of the type styles, and a style sheet paints it in the two colours', async () => {
  const { text } = await ask('/acme/open/-/contrast?text=grey&ground=ink')
  assert.match(text, /<div class="pair-sample"><p class="tile-name">Made &#60;b&#62; to last<\/p>\n<p>Body sample<\/p>/)
  assert.match(
    text,
    /<optgroup label="Core &#60;i&#62;"><option value="ink" data-hex="#14212b" selected>Ink &#60;b&#62;</,
  )
  const [sheet = ''] = /\/acme\/open\/-\/contrast\/[^"]+\.css/.exec(text) ?? []
  const reply = await ask(sheet)
  const seen = [reply.headers.get('content-type'), reply.text]
  assert.deepEqual(seen, ['text/css; charset=utf-8', '.pair-sample{background:#14212b;color:#767676}\n'])
  assert.match((await ask('/acme/plain/-/contrast')).text, /The five boxing wizards jump quickly: 1\/2<\/p>/)
})

test('the page of colours has the same form, which asks for the page of the pair', async () => {
  const { text } = await ask('/acme/open/-/colors')
  assert.match(text, /<form class="picker" action="\/acme\/open\/-\/contrast">\n<h2 id="picker">Try two colours<\/h2>/)
  assert.ok(!(await ask('/acme/one/-/colors')).text.includes('class="picker"'))
})

test('unknown colours have no page, and neither has a guide with fewer than two', async () => {
  for (const path of ['open/-/contrast?text=none', 'open/-/contrast?ground=.%2F', 'one/-/contrast', 'open/-/contrasts'])
    assert.equal((await ask(`/acme/${path}`)).status, 404, path)
  for (const name of ['ink', 'ink/none', 'ink/paper/grey'])
    assert.equal((await ask(`/acme/open/-/contrast/${name}.css`)).status, 404, name)
})
