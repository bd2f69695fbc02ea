import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test from 'node:test'
import { OFFICE_COLORS } from '#brand/appearance.ts'
import { exported } from '../../../support/exported.ts'
import { golden } from '../../../support/golden.ts'
import { temporaryStore } from '../../../support/temporary-store.ts'
import { summaryOf } from '../summary.ts'
import { deckOf, documentOf, NAMES, shape, usesOf, zipOf } from './office-file.ts'

type Parts = Record<string, string | null>

/** Slides as contents of shape trees, and parts that differ from those of `deckOf`: null for a missing one. */
golden('lint/slides', ({ slides, parts = {} }: { slides: string[]; parts?: Parts }) =>
  summaries(zipOf(withParts(deckOf(...slides), parts))),
)

golden('lint/document', ({ document, styles }: { document: string; styles?: string }) =>
  summaries(zipOf(documentOf(document, styles))),
)

async function summaries(bytes: Uint8Array): Promise<string[]> {
  return (await usesOf(bytes)).map(use => summaryOf(use))
}

function withParts(deck: Record<string, string>, parts: Parts): Record<string, string> {
  const entries = Object.entries({ ...deck, ...parts }).filter(([, text]) => text !== null)
  return Object.fromEntries(entries.map(([path, text]) => [path, `${text}`.replaceAll('NAMES', NAMES)]))
}

const fixture = (name: string) => readFile(new URL(`fixtures/${name}`, import.meta.url))
const color = (hex: string, role: string, written = hex.toUpperCase()) => ({
  kind: 'color',
  color: { hex, alpha: 1 },
  written,
  role,
})
const font = (family: string) => ({ kind: 'font', family })

test('a deck of LibreOffice gives colours, fonts, contrast and words', async () => {
  const uses = [
    color('#ffd400', 'ground'),
    color('#1d70b8', 'border'),
    color('#ffffff', 'text'),
    font('Arial'),
    { kind: 'contrast', text: '#ffffff', ground: '#ffd400', size: 24, weight: 700 },
    { kind: 'words', text: 'Click here', lang: 'en' },
  ]
  const expected = uses.map(use => ({ slide: 1, shape: 'Note', ...use }))
  assert.deepEqual(await usesOf(await fixture('deck.pptx')), expected)
})

test('text inherits the fonts, weights and grounds that LibreOffice resolves', async () => {
  const facts = async (name: string) =>
    (await usesOf(await fixture(name)))
      .filter(use => 'kind' in use && /^(font|contrast)$/.test(`${use.kind}`))
      .map(use => ({ ...use, shape: '' }))
  const text = (slide: number, family: string) => ({ slide, shape: '', ...font(family) })
  const onFill = (slide: number, family: string, points: number, more: object = {}) => {
    const colors = { text: '#ffffff', ground: '#4472c4' }
    return [text(slide, family), { slide, shape: '', kind: 'contrast', ...colors, size: points / 0.75, ...more }]
  }
  const inherited = await facts('inherited.pptx')
  assert.deepEqual(inherited, [
    text(1, 'Calibri Light'),
    ...Array.from({ length: 3 }, () => text(1, 'Calibri')),
    ...onFill(1, 'Calibri', 18),
    text(1, 'Calibri'),
    ...onFill(2, 'Georgia', 60, { weight: 700 }),
  ])
  assert.deepEqual(await facts('inherited-resolved.pptx'), inherited)
})

test('a document of LibreOffice gives colours, fonts, type, contrast and words', async () => {
  const text = [color('#1d70b8', 'text'), font('Arial')]
  const type = { kind: 'type', family: 'Arial', size: 16, written: { size: '12pt' } }
  assert.deepEqual(await usesOf(await fixture('letter.docx')), [
    ...text,
    type,
    ...text,
    { ...type, weight: 700 },
    { kind: 'words', text: 'Hello bold', lang: 'en' },
    color('#ffd400', 'ground'),
    ...text,
    { kind: 'contrast', text: '#1d70b8', ground: '#ffd400', size: 16 },
    type,
    { kind: 'words', text: 'Cell', lang: 'en' },
  ])
})

test('a deck with the exported theme of a brand gives its colours and fonts', async () => {
  const temporary = await temporaryStore()
  const { files } = await exported(temporary, 'office', {
    'project.yaml': `name: Guide\nvisibility: public\noffice: { ${OFFICE_COLORS.map(slot => `${slot}: vermilion`).join(', ')}, major: IBM Plex Sans, minor: IBM Plex Sans }\n`,
    'styles/colors.yaml': '- { name: Vermilion, hex: "#cc3a06" }\n',
  })
  const scheme = [...files.values()].map(bytes => `${bytes}`.replace(/^<\?.*?\?>/, '')).join('')
  const run = '<a:r><a:rPr><a:latin typeface="+mn-lt"/></a:rPr><a:t>Text</a:t></a:r>'
  const deck = deckOf(shape('<a:solidFill><a:schemeClr val="accent1"/></a:solidFill>', run))
  const uses = await usesOf(zipOf({ ...deck, 'ppt/theme/t.xml': `<theme>${scheme}</theme>` }))
  const expected = [
    color('#cc3a06', 'ground', 'accent1 (#CC3A06)'),
    font('IBM Plex Sans'),
    { kind: 'words', text: 'Text' },
  ]
  const wanted = expected.map(use => ({ slide: 1, shape: 'Box', ...use }))
  assert.deepEqual(uses, wanted)
})
