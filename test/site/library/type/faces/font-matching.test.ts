import assert from 'node:assert/strict'
import test from 'node:test'
import type { FontMetadata } from '../../../../../src/brand/file.ts'
import { hashOf } from '../../../../../src/brand/snapshot.ts'
import { fontFaces, ownWeight } from '../../../../../src/export/fonts/font-faces.ts'
import {
  type FontRequest,
  fontRequestOf,
  matchingFaces,
} from '../../../../../src/site/library/type/faces/font-matching.ts'

const hash = hashOf(new Uint8Array())

type Font = [path: string, metadata: FontMetadata, contentType?: string]

/** The fonts that set a text, of a family that has these weights, styles and names. */
function matching(fonts: readonly Font[], wanted: FontRequest, axes: Record<string, [number, number]> = {}): string[] {
  const files = fonts.map(([path, metadata, contentType = 'font/woff2']) => {
    return { path, size: 1, contentType, hash, metadata: { family: 'Acme', ...metadata } }
  })
  const faces = matchingFaces(fontFaces(files), wanted, face => axes[face.file.path] ?? ownWeight(face))
  return faces.map(({ file }) => file.path)
}

const CASES: [what: string, fonts: Font[], regular: string[]][] = [
  [
    '400 before 500',
    [
      ['500', { weight: 500 }],
      ['400', { weight: 400 }],
    ],
    ['400'],
  ],
  [
    '500 before lighter ones',
    [
      ['300', { weight: 300 }],
      ['500', { weight: 500 }],
    ],
    ['500'],
  ],
  [
    'lighter before heavier ones, the nearest of them',
    [
      ['600', { weight: 600 }],
      ['100', { weight: 100 }],
      ['300', { weight: 300 }],
    ],
    ['300'],
  ],
  [
    'the lightest of heavier ones',
    [
      ['900', { weight: 900 }],
      ['600', { weight: 600 }],
    ],
    ['600'],
  ],
  [
    'upright before slanted',
    [
      ['i', { weight: 400, style: 'italic' }],
      ['b', { weight: 700 }],
    ],
    ['b'],
  ],
  [
    'the regular width',
    [
      ['c', { subFamily: 'Condensed' }],
      ['r', { subFamily: 'Regular' }],
    ],
    ['r'],
  ],
  [
    'all parts of a font, the smallest format first',
    [
      ['t', {}, 'font/ttf'],
      ['w', {}, 'font/woff'],
      ['w2', {}],
    ],
    ['w2', 'w', 't'],
  ],
]

for (const [what, fonts, paths] of CASES)
  test(`text of no certain weight is set in ${what}`, () => assert.deepEqual(matching(fonts, fontRequestOf({})), paths))

const WEIGHTS = [300, 400, 500, 600, 700].map((weight): Font => [String(weight), { weight }])

for (const [wanted, ofAll, ofTwo] of [
  [600, '600', '700'],
  [650, '700', '700'],
  [800, '700', '700'],
  [200, '300', '300'],
  [350, '300', '300'],
  [450, '500', '300'],
  [400, '400', '300'],
] as const)
  test(`a text of weight ${wanted} is set in the nearest weight, the heavier of two if it is heavier itself`, () => {
    const text = { weight: wanted, style: 'normal' } as const
    assert.deepEqual(matching(WEIGHTS, text), [ofAll])
    assert.deepEqual(
      matching(
        WEIGHTS.filter(([, { weight }]) => weight === 300 || weight === 700),
        text,
      ),
      [ofTwo],
    )
  })

test('a text in italics is set in them whatever their weight, and in oblique letters before upright ones', () => {
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

test('a variable font has every weight of its axis, and is as near as the end of it beyond that', () => {
  const fonts: Font[] = [
    ['v', { weight: 400 }],
    ['b', { weight: 700 }],
  ]
  const axes: Record<string, [number, number]> = { v: [100, 600] }
  assert.deepEqual(matching(fonts, { weight: 550, style: 'normal' }, axes), ['v'])
  assert.deepEqual(matching(fonts, { weight: 650, style: 'normal' }, axes), ['b'])
  assert.deepEqual(matching(fonts, { weight: 550, style: 'normal' }), ['b'])
})
