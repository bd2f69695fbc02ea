import assert from 'node:assert/strict'
import test from 'node:test'
import { hashOf } from '../../../../../src/brand/snapshot.ts'
import { fontFaces } from '../../../../../src/export/fonts/font-faces.ts'
import { fontRequestOf } from '../../../../../src/site/library/type/faces/font-matching.ts'
import { groupFonts } from '../../../../../src/site/library/type/faces/guide-fonts.ts'

const hash = hashOf(new Uint8Array())

test('a style uses at most 128 equal fonts of a family', () => {
  const files = Array.from({ length: 10_000 }, (_, at) => ({
    path: `f${at}.woff2`,
    size: 1,
    contentType: 'font/woff2',
    hash,
    metadata: { family: 'Acme', weight: 400 },
  }))
  const { families, matching } = groupFonts(fontFaces(files))
  assert.equal(families.get('Acme')?.length, 10_000)
  assert.deepEqual(
    matching('Acme', fontRequestOf({})).map(({ number }) => number),
    Array.from({ length: 128 }, (_, at) => at + 1),
  )
  assert.equal(matching('Acme', fontRequestOf({})), matching('Acme', fontRequestOf({})))
  assert.deepEqual(matching('Other', fontRequestOf({})), [])
})
