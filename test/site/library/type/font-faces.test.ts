import assert from 'node:assert/strict'
import test from 'node:test'
import type { FontMetadata } from '../../../../src/brand/file.ts'
import { hashOf } from '../../../../src/brand/snapshot.ts'
import { faceName, familiesOf, fontFaces, regularFaces } from '../../../../src/site/library/type/font-faces.ts'

const hash = hashOf(new Uint8Array())

function font(path: string, metadata: FontMetadata | undefined, contentType = 'font/woff2') {
  return { path, size: 1, contentType, hash, ...(metadata && { metadata }) }
}

/** The names of the fonts that set a text of no certain weight, of a family that has these weights, styles and names. */
function regular(...fonts: [path: string, metadata: FontMetadata, contentType?: string][]): string[] {
  const faces = fontFaces(fonts.map(([path, metadata, type]) => font(path, { family: 'Acme', ...metadata }, type)))
  return regularFaces(faces).map(({ file }) => file.path)
}

test('fonts that could be read are counted, and one without a family is named after its file', () => {
  const picture = { ...font('a.png', undefined, 'image/png') }
  const faces = fontFaces([
    picture,
    font('b.woff2', undefined),
    font('fonts/c.woff2', {}),
    font('d.ttf', { family: 'D' }),
  ])
  assert.deepEqual(
    faces.map(face => [face.family, face.weight]),
    [
      ['c.woff2', 400],
      ['D', 400],
    ],
  )
  assert.equal(new Set(faces.map(faceName)).size, 2)
})

test('the fonts of a family stand from light to heavy, upright before slanted', () => {
  const faces = fontFaces([
    font('1', { family: 'A', weight: 700 }),
    font('2', { family: 'A', weight: 400, style: 'italic' }),
    font('3', { family: 'B' }),
    font('4', { family: 'A', weight: 400 }),
  ])
  const families = [...familiesOf(faces)].map(([name, fonts]) => [name, ...fonts.map(({ file }) => file.path)])
  assert.deepEqual(families, [
    ['A', '4', '2', '1'],
    ['B', '3'],
  ])
})

const CASES: [what: string, fonts: Parameters<typeof regular>, regular: string[]][] = [
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
  test(`text of no certain weight is set in ${what}`, () => assert.deepEqual(regular(...fonts), paths))
