import assert from 'node:assert/strict'
import test from 'node:test'
import { faceDescriptors } from '../../../src/export/fonts/face-rule.ts'

test('a face rule has the weights, the width unless regular, and the files in order', () => {
  const sources = [
    { address: 'a.woff2', contentType: 'font/woff2' },
    { address: 'a.unknown', contentType: 'font/sfnt' },
  ]
  assert.deepEqual(
    faceDescriptors({
      family: 'A "B"',
      weights: [100, 900],
      style: 'italic',
      display: 'swap',
      sources,
      range: 'U+20-7e',
    }),
    [
      ['font-family', '"A \\"B\\""'],
      ['font-weight', '100 900'],
      ['font-style', 'italic'],
      ['font-display', 'swap'],
      ['src', 'url("a.woff2") format("woff2"), url("a.unknown")'],
      ['unicode-range', 'U+20-7e'],
    ],
  )
  const plain = { family: 'A', weights: [400, 400], stretch: '75%', style: undefined, display: 'block' } as const
  assert.deepEqual(faceDescriptors({ ...plain, sources: sources.slice(1) }), [
    ['font-family', '"A"'],
    ['font-weight', '400'],
    ['font-stretch', '75%'],
    ['font-style', 'normal'],
    ['font-display', 'block'],
    ['src', 'url("a.unknown")'],
  ])
})
