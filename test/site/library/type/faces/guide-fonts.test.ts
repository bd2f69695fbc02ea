import assert from 'node:assert/strict'
import test from 'node:test'
import { hashOf } from '#brand/snapshot.ts'
import { fontFaces, ownWeight } from '#delivery/export/fonts/font-faces.ts'
import type { FontMetadata } from '#formats/font/font-names.ts'
import { type FontRequest, fontRequestOf, groupFonts, matchingFaces } from '#site/library/type/faces/guide-fonts.ts'

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
  const numbers = matching('Acme', fontRequestOf({})).map(({ number }) => number)
  const expected = Array.from({ length: 128 }, (_, at) => at + 1)
  assert.deepEqual(numbers, expected)
  assert.equal(matching('Acme', fontRequestOf({})), matching('Acme', fontRequestOf({})))
  assert.deepEqual(matching('Other', fontRequestOf({})), [])
})

type Font = [path: string, metadata: FontMetadata, contentType?: string]

/** The fonts of a family with these weights, styles and names that match a request. */
function matching(fonts: readonly Font[], wanted: FontRequest, axes: Record<string, [number, number]> = {}): string[] {
  const files = fonts.map(([path, metadata, contentType = 'font/woff2']) => {
    return { path, size: 1, contentType, hash, metadata: { family: 'Acme', ...metadata } }
  })
  const faces = matchingFaces(fontFaces(files), wanted, face => axes[face.file.path] ?? ownWeight(face))
  return faces.map(({ file }) => file.path)
}

const ofWeights = (...weights: number[]) => weights.map((weight): Font => [String(weight), { weight }])

const CASES: Readonly<Record<string, readonly [fonts: Font[], regular: string[]]>> = {
  '400 before 500': [ofWeights(500, 400), ['400']],
  '500 before lighter weights': [ofWeights(300, 500), ['500']],
  'lighter before heavier weights, the nearest one first': [ofWeights(600, 100, 300), ['300']],
  'the lightest of the heavier weights': [ofWeights(900, 600), ['600']],
  'upright before slanted': [
    [
      ['i', { weight: 400, style: 'italic' }],
      ['b', { weight: 700 }],
    ],
    ['b'],
  ],
  'the regular width': [
    [
      ['c', { subFamily: 'Condensed' }],
      ['r', { subFamily: 'Regular' }],
    ],
    ['r'],
  ],
  'all parts of a font, the smallest format first': [
    [
      ['t', {}, 'font/ttf'],
      ['w', {}, 'font/woff'],
      ['w2', {}],
    ],
    ['w2', 'w', 't'],
  ],
}

for (const [what, [fonts, paths]] of Object.entries(CASES))
  test(`text without a weight is set in ${what}`, () => assert.deepEqual(matching(fonts, fontRequestOf({})), paths))

for (const [wanted, ofAll, ofTwo] of [
  [600, '600', '700'],
  [650, '700', '700'],
  [800, '700', '700'],
  [200, '300', '300'],
  [350, '300', '300'],
  [450, '500', '300'],
  [400, '400', '300'],
] as const)
  test(`text of weight ${wanted} is set in the nearest weight, a heavier one above 500`, () => {
    const text = { weight: wanted, style: 'normal' } as const
    assert.deepEqual(matching(ofWeights(300, 400, 500, 600, 700), text), [ofAll])
    assert.deepEqual(matching(ofWeights(300, 700), text), [ofTwo])
  })

test('italic text prefers italic fonts of any weight, then oblique before upright ones', () => {
  const fonts: Font[] = [
    ['u', { weight: 700 }],
    ['o', { weight: 300, style: 'oblique' }],
    ['i', { weight: 300, style: 'italic' }],
  ]
  const wanted = { weight: 700, style: 'italic' } as const
  assert.deepEqual(matching(fonts, wanted), ['i'])
  assert.deepEqual(matching(fonts.slice(0, 2), wanted), ['o'])
  assert.deepEqual(matching(fonts.slice(0, 1), wanted), ['u'])
})

test('a variable font has every weight of its axis, and beyond it the distance to its end', () => {
  const fonts: Font[] = [
    ['v', { weight: 400 }],
    ['b', { weight: 700 }],
  ]
  const axes: Record<string, [number, number]> = { v: [100, 600] }
  assert.deepEqual(matching(fonts, { weight: 550, style: 'normal' }, axes), ['v'])
  assert.deepEqual(matching(fonts, { weight: 650, style: 'normal' }, axes), ['b'])
  assert.deepEqual(matching(fonts, { weight: 550, style: 'normal' }), ['b'])
})
