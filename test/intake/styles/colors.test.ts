import assert from 'node:assert/strict'
import test from 'node:test'
import { readColors } from '#intake/styles/colors.ts'
import { golden } from '#test/support/golden.ts'
import { PATIENCE_MS } from '#test/support/patience.ts'
import { fc, forAllIn } from '#test/support/random.ts'
import { readFacts } from '../reading.ts'

test('thousands of broken references are read quickly', { timeout: PATIENCE_MS }, () => {
  const gone = Array.from({ length: 100 }, (_, at) => `gone-${at}`).join(', ')
  const lines = Array.from({ length: 300 }, (_, at) => `- {name: Colour ${at}, hex: abc, on: [${gone}]}`)
  assert.equal(readColors(lines.join('\n')).problems.length, 30_000)
})

test('reading styles/colors.yaml never throws', { timeout: 300_000 }, async () => {
  const pieces = [
    ...'- |\n  |\n|name: |hex: |rgb: |cmyk: |ral: |pms: |id: |#fff|"#fff"|abc|1,2,3|[1, 2, 3]|[|]'.split('|'),
    ...'{|}|""|-1|1e9|__proto__: |"\\ud800"|"\\0"'.split('|'),
  ]
  await forAllIn(600, [fc.array(fc.constantFrom(...pieces), { maxLength: 40 })], written => {
    const { colors, problems } = readColors(written.join(''))
    for (const { rgb, hex } of colors) assert.match(`${rgb} ${hex}`, /^\d+,\d+,\d+ #[0-9a-f]{6}$/)
    for (const { message } of problems) assert.doesNotMatch(message, /\p{Cc}/u)
  })
})

golden('intake/styles/colors', ({ text }: { text: string }) => readFacts(readColors(text)))
