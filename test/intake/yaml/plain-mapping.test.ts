import assert from 'node:assert/strict'
import test from 'node:test'
import { readPlainMapping } from '../../../src/intake/yaml/plain-mapping.ts'
import { readYaml } from '../../../src/intake/yaml/yaml.ts'
import { fc, scale } from '../../support/random.ts'

/** A comment makes the full YAML parser read the mapping. */
const entriesOf = (text: string) => {
  const { root } = readYaml(`${text}\n# comment`, 2)
  return root?.kind === 'mapping' ? root.entries : undefined
}

const sign = fc.constantFrom(
  ...'a|é|0|"|\'|#| #| |  |- |---|~|null|0x1|1e3|true|<<: |&|*|!|>|%|@|`|{|}|[|]|,|?|\\|\t|=|a: |b:|:|\ufeff|\u0301|😀'.split(
    '|',
  ),
  '|',
  '\u00a0',
  '\u2028',
  '\ud800',
  '\0',
  '\x85',
)
const value = fc.array(sign, { maxLength: 5 }).map(signs => signs.join(''))
const line = fc.oneof(
  value.map(text => `a: ${text}`),
  value.map(text => `b-c: "${text}"`),
  value.map(text => `d: '${text}'`),
  value,
)
const lines = fc.array(line, { maxLength: 4 }).map(lines => lines.join('\n'))

test('plain mappings are read like the full YAML parser reads them', () => {
  fc.assert(
    fc.property(lines, text => {
      const entries = readPlainMapping(text, 2)
      if (entries) assert.deepEqual(entries, entriesOf(text), JSON.stringify(text))
    }),
    { numRuns: scale(800) },
  )
})

for (const text of [
  'title: Clear space',
  'title: "Logo: use"\norder: 2\n',
  "id: 'a'\ntitle: Größe & Form (neu), 1.5 mm",
])
  test(`${JSON.stringify(text)} is a plain mapping, which the full parser need not read`, () => {
    assert.deepEqual(readPlainMapping(text, 2), entriesOf(text))
  })

for (const text of ['', '\n', 'a:', 'a: b\na: c', 'a: b # c', 'a: b: c', ' a: b', 'a: - b', 'a: b\n  c', 'a: "\\n"'])
  test(`${JSON.stringify(text)} is not a plain mapping`, () => {
    assert.equal(readPlainMapping(text, 2), undefined)
  })
