import assert from 'node:assert/strict'
import test from 'node:test'
import { isStyleId } from '#brand/ids.ts'
import { hasCssColor } from '#delivery/search/color-query.ts'
import { withGuideColors } from '#delivery/search/search-index.ts'

const id = 'sea'
assert.ok(isStyleId(id))
const COLORS = ['#0a3c52', '#083a50', '#663399'].map(hex => ({ id, name: 'Sea', rgb: '', hex }))

for (const [query, wanted] of [
  ['rgb(8 58 80)', '#083a50'],
  ['RGB(8, 58, 80)', '#083a50'],
  ['rgba(8, 58, 80, 0.5)', '#083a50'],
  ['rgb(8 58 80 / 50%)', '#083a50'],
  ['rgb(3.14% 22.75% 31.37%)', '#083a50'],
  ['hsl(198, 82%, 17%)', '#083a50'],
  ['hsl(198.3deg 81.8% 17.3%)', '#083a50'],
  ['hwb(198 3% 69%)', '#083a50'],
  ['lab(22% -10 -18)', '#083a50'],
  ['oklch(32.9% 0.063 233.2)', '#083a50'],
  ['color(srgb 0.0314 0.2275 0.3137)', '#083a50'],
  ['color-mix(in srgb, #083a50, rgb(8 58 80))', '#083a50'],
  ['#083a50cc', '#083a50'],
  ['#639f', '#663399'],
  ['text in hsl(270 50% 40%) on paper', 'text in #663399 on paper'],
  // No colour of the guide, or no colour at all.
  ['rgb(200 58 80)', 'rgb(200 58 80)'],
  ['rgb(8 58)', 'rgb(8 58)'],
  ['var(--sea)', 'var(--sea)'],
  ['#083a50', '#083a50'],
  ['lab (22)', 'lab (22)'],
] as const)
  test(`“${query}” is searched as “${wanted}”`, async () => {
    assert.equal(await withGuideColors(query, COLORS), wanted)
  })

test('only a query with a colour function, or a hex with alpha, may have a CSS colour', () => {
  for (const query of ['logo', '#fff', '#083a50', 'colour (red)', 'my-rgb(1 2 3)'])
    assert.ok(!hasCssColor(query), query)
  assert.ok(hasCssColor('the colour Lab(1 2 3)'))
})
