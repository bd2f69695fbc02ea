import assert from 'node:assert/strict'
import test from 'node:test'
import { problemsOf } from './judged.ts'

const BRAND = {
  families: ['Acme Sans', 'Acme Serif', 'Georgia', 'Acme Icons', 'Arial'],
  types: [
    { id: 'heading', families: ['Acme Serif', 'Georgia'], responsive: false, guide: 'type/headings' },
    { id: 'body', families: ['Acme Sans'], responsive: false, guide: 'type' },
  ],
}

for (const family of [
  'Acme Sans',
  'ACME  sans',
  '"Acme Sans"',
  'Georgia',
  'Acme Sans SemiBold',
  'Acme Sans Semi Bold Italic',
  'Acme Sans Light',
  'Acme Sans-ExtraCondensed',
  'Acme Sans VF',
  'AcmeSans-BoldItalic',
  'Georgia-Bold',
  'Acme Sans Variable',
  'AcmeSans',
  'AcmeSans-BoldIt',
  'AcmeSans-CondensedBold',
  'AcmeSans-CondensedBlack',
  'AcmeSans-SemiCondensedExtraBoldItalic',
  'AcmeSans-It',
  'ArialMT',
  'AppleSDGothicNeo-Regular',
  'Hiragino Sans',
  'Arial-BoldItalicMT',
  '__acmeSans_1a2b3c',
  '__Acme_Sans_Fallback_1a2b3c',
  'sans-serif',
  'monospace',
  'UI-Rounded',
  '',
])
  test(`the family '${family}' is right`, () => {
    assert.deepEqual(problemsOf({ kind: 'font', family }, BRAND), [])
  })

const fromBody = { write: 'Acme Sans', guide: 'type' }
for (const [family, fields] of [
  ['Comic Sans MS', fromBody],
  ['Acme Sans Mono', fromBody],
  ['Acme Sansational', fromBody],
  ['MS Gothic', fromBody],
  ['__acmeSansMono_1a2b3c', fromBody],
  ['ArialNarrow', fromBody],
  ['ArialUnicodeMS', fromBody],
  ['Light', fromBody],
  ['My Acme Sans', fromBody],
  ['Acme Sanz', { nearest: 'body', ...fromBody }],
  ['Georgina', { nearest: 'heading', write: 'Georgia', guide: 'type/headings' }],
  ['AcmeSans-Fancy', fromBody],
  ['AcmeSans-CondensedFancy', fromBody],
  ['Arial Narrow', fromBody],
  ['Arial-Black', fromBody],
  ['Acme Icon', { write: 'Acme Icons' }],
] as const)
  test(`the family '${family}' is not right`, () => {
    const message = `"${family}" is not a family of the brand: write "${fields.write}"`
    assert.deepEqual(problemsOf({ kind: 'font', family }, BRAND), [
      { rule: 'font-off', found: family, ...fields, message },
    ])
  })

test('without a style called body, the message names no family', () => {
  assert.deepEqual(problemsOf({ kind: 'font', family: 'Comic Sans MS' }, { families: ['Acme Sans'] }), [
    {
      rule: 'font-off',
      found: 'Comic Sans MS',
      message: '"Comic Sans MS" is not a family of the brand: use a family of the brand',
    },
  ])
})

const WITH_CODE = { ...BRAND, types: [...BRAND.types, { id: 'code', families: ['Acme Mono', 'monospace'] }] }

test('families of icons, emoji, signs and formulas are right, and so are those that project.yaml allows', () => {
  const families = [
    'Font Awesome 6 Free',
    'FontAwesome',
    'Material Icons',
    'Material Symbols Outlined',
    'slick',
    'bootstrap-icons',
    'dashicons',
    'Glyphicons Halflings',
    'Ionicons',
    'my-icons',
    'Apple Color Emoji',
    'Segoe UI Emoji',
    'Noto Color Emoji',
    'Wingdings 3',
    'KaTeX_Main',
    'Line Awesome Free',
    'Linearicons-Free',
    'lg',
    'sans',
  ]
  for (const family of families) assert.deepEqual(problemsOf({ kind: 'font', family }, BRAND), [], family)
  const brand = { ...BRAND, allowedFonts: ['Party Hats'] }
  for (const family of ['party hats', 'Party Hats Bold'])
    assert.deepEqual(problemsOf({ kind: 'font', family }, brand), [], family)
  for (const family of ['Iconic Sans', 'Slick Serif', 'Silicon', 'Feather Serif', 'Star Sans'])
    assert.equal(problemsOf({ kind: 'font', family }, BRAND).length, 1, family)
})

test('code may have any font if the brand has none for code, and those of systems otherwise', () => {
  const judgedAs = (family: string, brand: object) =>
    problemsOf({ kind: 'font', family, isCode: true }, brand).map(problem => Object(problem).write)
  for (const family of ['Fira Code', 'Menlo', 'SFMono-Regular']) assert.deepEqual(judgedAs(family, BRAND), [], family)
  for (const family of ['Menlo', 'SFMono-Regular', 'Courier New', 'Acme Mono'])
    assert.deepEqual(judgedAs(family, { ...WITH_CODE, families: [...BRAND.families, 'Acme Mono'] }), [], family)
  assert.deepEqual(judgedAs('Fira Code', WITH_CODE), ['Acme Mono'])
})

test('a long family is judged in little time', { timeout: 5000 }, () => {
  const family = `Acme Sans ${'semi bold '.repeat(100_000)}${' '.repeat(100_000)}x`
  assert.equal(problemsOf({ kind: 'font', family }, BRAND).length, 1)
})

test('a family that @font-face declares is right if one of its fonts has the name of a family of the brand', () => {
  const isRight = (...sources: string[]) =>
    problemsOf({ kind: 'font', family: 'Headline', sources }, BRAND).length === 0
  assert.equal(isRight('other.woff2', 'AcmeSans-Bold.woff2'), true)
  assert.equal(isRight('acme-serif-latin-400.woff'), true)
  assert.equal(isRight('other.woff2', 'My Acme Sans'), false)
})
