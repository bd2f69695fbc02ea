import assert from 'node:assert/strict'
import test from 'node:test'
import { isStyleId } from '#brand/ids.ts'
import { hasCssColor } from '#delivery/search/color-query.ts'
import { withGuideColors } from '#delivery/search/search-index.ts'
import { golden } from '../../support/golden.ts'

const id = 'sea'
assert.ok(isStyleId(id))
const COLORS = ['#0a3c52', '#083a50', '#663399'].map(hex => ({ id, name: 'Sea', rgb: '', hex }))

golden('search/color-query', ({ query }: { query: string }) => withGuideColors(query, COLORS))

test('only a query with a colour function, or a hex with alpha, may have a CSS colour', () => {
  for (const query of ['logo', '#fff', '#083a50', 'colour (red)', 'my-rgb(1 2 3)'])
    assert.ok(!hasCssColor(query), query)
  assert.ok(hasCssColor('the colour Lab(1 2 3)'))
})
