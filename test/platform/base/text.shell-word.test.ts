import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { shellWord } from '#platform/base/text.ts'
import { codePoint, fc, forAllIn } from '../../support/random.ts'

test('a path without special characters is unchanged', () => {
  assert.equal(shellWord('/var/lib/housestyle-2/a_b.tar'), '/var/lib/housestyle-2/a_b.tar')
})

test('a shell reads a quoted string as one word with the same characters', async () => {
  const texts = fc.array(
    fc.string({ unit: codePoint }).filter(text => !text.includes('\0')),
    { maxLength: 50 },
  )
  await forAllIn(30, [texts], words => {
    const script = `printf '%s\\0' ${words.map(shellWord).join(' ')}`
    const printed = execFileSync('sh', ['-c', words.length === 0 ? 'true' : script]).toString()
    assert.deepEqual(printed.split('\0').slice(0, -1), words)
  })
})
