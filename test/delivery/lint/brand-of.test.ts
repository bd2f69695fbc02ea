import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test from 'node:test'
import { brandOf, NO_BRAND } from '#delivery/lint/brand-of.ts'
import { publicationOf } from '../../support/guide.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const temporary = await temporaryStore()

test('a brand has its values, the pages that show them, its families, words and levels', async () => {
  await temporary.publishing('acme/guide', {
    'guide/project.yaml': `pages: [all, some]
words: [{ write: use, not: [utilise], page: some }]
lint: { neutrals: strict, fonts: [Slick], technicalInks: [Kiss Cut], rules: { color-literal: warning, unreadable: warning } }
`,
    'guide/pages/all.md': '[All](../styles/colors.yaml) [Type](../styles/types.yaml)\n',
    'guide/pages/some.md': '[Ink](../styles/colors.yaml#ink) [Warm](../styles/colors.yaml#warm)\n',
    'guide/styles/colors.yaml':
      '- { name: Ink, hex: "#14212b", group: Cold }\n- { name: Red, hex: "#f00", group: Warm }\n- { name: Sky, hex: "#0af", group: Cold }\n',
    'guide/styles/types.yaml':
      '- { name: Body, family: Acme Sans, fallback: [Georgia], size: 16, leading: 1.5, weight: 400 }\n',
  })
  assert.deepEqual(await brandOf(await publicationOf(temporary.store, 'acme', 'guide')), {
    colors: [
      { id: 'ink', hex: '#14212b', guide: 'some' },
      { id: 'red', hex: '#ff0000', guide: 'some' },
      { id: 'sky', hex: '#00aaff', guide: 'all' },
    ],
    types: [
      {
        id: 'body',
        families: ['Acme Sans', 'Georgia'],
        size: 16,
        leading: 1.5,
        weight: 400,
        responsive: false,
        guide: 'all',
      },
    ],
    families: ['Acme Sans', 'Georgia'],
    allowedFonts: ['Slick'],
    technicalInks: ['Kiss Cut'],
    words: [{ write: 'use', not: ['utilise'], page: 'some' }],
    language: 'en',
    neutrals: 'strict',
    levels: { ...NO_BRAND.levels, 'color-literal': 'warning', unreadable: 'warning' },
  })
})

test('a brand has the other names of its fonts', async () => {
  const bytes = await readFile('node_modules/@ibm/plex-sans/fonts/complete/woff2/IBMPlexSans-Medium.woff2')
  await temporary.publishing('acme/fonts', { 'fonts/files/medium.woff2': bytes })
  const { families, allowedFonts } = await brandOf(await publicationOf(temporary.store, 'acme', 'fonts'))
  assert.deepEqual([families, allowedFonts], [['IBM Plex Sans'], ['IBM Plex Sans Medm', 'IBMPlexSans-Medm']])
})

test('a brand has the print values of its colours as they are written', async () => {
  const colors = `- { name: Red, hex: "#f00", cmyk: [0, 100, 90, 0], pms: 485 C, pms2: 485 U, ral: 3020, inks: { HKS: 13 K } }
- { name: Tint, hex: "#f88", tintOf: red }
`
  await temporary.publishing('acme/print', { 'print/styles/colors.yaml': colors })
  const brand = await brandOf(await publicationOf(temporary.store, 'acme', 'print'))
  const inks = { pms: '485 C', pms2: '485 U', ral: 3020, inks: { HKS: '13 K' } }
  assert.deepEqual(brand.colors, [
    { id: 'red', hex: '#ff0000', cmyk: '0,100,90,0', ...inks, guide: undefined },
    { id: 'tint', hex: '#ff8888', guide: undefined },
  ])
})

test('a project without styles is a brand with nothing to compare', async () => {
  await temporary.publishing('acme/empty', { 'empty/pages/index.md': '# Empty\n' })
  assert.deepEqual(await brandOf(await publicationOf(temporary.store, 'acme', 'empty')), NO_BRAND)
})
