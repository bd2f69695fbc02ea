import assert from 'node:assert/strict'
import test from 'node:test'
import type { FontMetadata } from '../../../src/brand/file.ts'
import { hashOf } from '../../../src/brand/snapshot.ts'
import { faceName, familiesOf, fontFaces } from '../../../src/export/fonts/font-faces.ts'

const hash = hashOf(new Uint8Array())

function font(path: string, metadata: FontMetadata | undefined, contentType = 'font/woff2') {
  return { path, size: 1, contentType, hash, ...(metadata && { metadata }) }
}

test('readable fonts are numbered, and one without a family has the name of its file', () => {
  const picture = { ...font('a.png', undefined, 'image/png') }
  const faces = fontFaces([
    picture,
    font('b.woff2', undefined),
    font('fonts/c.woff2', {}),
    font('d.ttf', { family: 'D' }),
  ])
  const weights = faces.map(({ family, weight }) => `${family} ${weight}`)
  assert.deepEqual(weights, ['c.woff2 400', 'D 400'])
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
