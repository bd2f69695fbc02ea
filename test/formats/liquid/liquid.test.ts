import assert from 'node:assert/strict'
import test from 'node:test'
import { renderLiquid } from '#formats/liquid/liquid.ts'

test('Liquid that repeats without end is cut off, and says which tag failed', () => {
  const partial = (name: string) => `B {% include ${name} %}`
  const source = 'A {% include a.md %}{% for i in (1..99999) %}Many words.{% endfor %} {% render "/etc/passwd" %} End'
  const parts = renderLiquid(source, { values: {}, partial, filters: {}, blocks: {}, loop: () => undefined })
  assert.deepEqual(
    parts.map(({ failed }) => [...failed]),
    [['{% include a.md %}'], ['{% for i in (1..99999) %}'], ['{% render "/etc/passwd" %}']],
  )
  assert.ok(parts.every(({ text }) => text.length <= 1 << 19))
})
