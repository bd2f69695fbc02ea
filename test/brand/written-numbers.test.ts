import assert from 'node:assert/strict'
import test from 'node:test'
import { splitChannels } from '#brand/written-numbers.ts'

test('channels are read in each way that people write them', () => {
  const written = [
    '84,39,0,28',
    '84 / 39 / 0 / 28',
    'C84 M39 Y0 K28',
    'cmyk(84%, 39%, 0%, 28%)',
    ['84%', '39', '0', '28'],
  ]
  for (const numbers of written) assert.deepEqual(splitChannels(numbers, 'cmyk'), ['84', '39', '0', '28'])
  assert.deepEqual(splitChannels('RGB 100 %  0 %  50 %', 'rgb'), ['255', '0', '127'])
})

test('many spaces between channels do not stop an import', () => {
  const gap = ' '.repeat(50_000)
  assert.deepEqual(splitChannels(`cmyk${gap}84${gap}39${gap}0${gap}28`, 'cmyk'), ['84', '39', '0', '28'])
  assert.deepEqual(splitChannels(`cmyk${gap}84${gap}x`, 'cmyk'), ['cmyk', '84', 'x'])
})
