import assert from 'node:assert/strict'
import test from 'node:test'
import type { FontMetadata } from '#brand/file.ts'
import { hashOf } from '#brand/snapshot.ts'
import { faceDescriptors, faceName, familiesOf, fontFaces } from '#delivery/export/fonts/font-faces.ts'

const hash = hashOf(new Uint8Array())

function font(path: string, metadata: FontMetadata | undefined, contentType = 'font/woff2') {
  return { path, size: 1, contentType, hash, ...(metadata && { metadata }) }
}

test('readable fonts are numbered, and one without a family has the name of its file without extension', () => {
  const picture = { ...font('a.png', undefined, 'image/png') }
  const faces = fontFaces([
    picture,
    font('b.woff2', undefined),
    font('fonts/c.woff2', {}),
    font('d.ttf', { family: 'D' }),
  ])
  const weights = faces.map(({ family, weight }) => `${family} ${weight}`)
  assert.deepEqual(weights, ['c 400', 'D 400'])
  assert.equal(new Set(faces.map(faceName)).size, 2)
})

test('the fonts of a family are sorted from light to heavy, upright before slanted', () => {
  const faces = fontFaces([
    font('1', { family: 'A', weight: 700 }),
    font('2', { family: 'A', weight: 400, style: 'italic' }),
    font('3', { family: 'B' }),
    font('4', { family: 'A', weight: 400 }),
  ])
  const families = [...familiesOf(faces)].map(([name, fonts]) => [name, ...fonts.map(({ file }) => file.path)].join())
  assert.deepEqual(families, ['A,4,2,1', 'B,3'])
})

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
