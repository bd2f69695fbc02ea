import assert from 'node:assert/strict'
import test from 'node:test'
import { parse } from 'yaml'
import { guideStyles } from '#adopt/conversion/guide-styles.ts'
import { describeProject } from '#adopt/describe.ts'
import type { PageHead } from '#adopt/document.ts'
import { golden } from '#test/support/golden.ts'
import { noteRows, withoutEmpty } from './page-facts.ts'
import { sourceEntry } from './source-entry.ts'

const INK = '#101820'

/** A file below `files/` where it was in the source: a drawing with these paints on a ground of its own, or a text. */
type Given = string | { paints?: string[]; ground?: string; text?: string }

type Case = {
  files: Readonly<Record<string, Given>>
  /** Files of the source that are not placed. */
  parts?: Readonly<Record<string, Given>>
  name?: string
  colors?: Readonly<Record<string, string>>
  /** What the pages of the source show at its head, by the path of the page. */
  heads?: Readonly<Record<string, Partial<PageHead>>>
  pageTexts?: Readonly<Record<string, string>>
  logos?: string[]
  links?: string[]
  /** The main colour that the settings name. */
  color?: string
  /** Families by the names of type styles. */
  types?: Readonly<Record<string, string>>
}

function entryOf(path: string, given: Given) {
  const { paints, ground = '', text = '' } = typeof given === 'string' ? { text: given } : given
  return sourceEntry(path, paints ? drawing(paints, ground) : text)
}

function drawing(paints: readonly string[], ground: string): string {
  const base = ground && `<rect width="40" height="40" fill="${ground}"/>`
  const circles = paints.map((paint, at) => `<circle cx="${12 + 16 * at}" cy="20" r="6" fill="${paint}"/>`)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">${base}${circles.join('')}</svg>`
}

const SITE = { listed: [], faces: [], links: [], logos: [], darkLogos: [], icons: [], color: '' }

golden(
  'adopt/describe',
  async ({
    files,
    parts = {},
    name = 'Acme',
    colors = { ink: INK },
    heads = {},
    pageTexts = {},
    types = {},
    ...own
  }: Case) => {
    const placed = Object.entries(files).map(([path, given]) => ({ entry: entryOf(path, given), to: `files/${path}` }))
    const all = [...placed.map(({ entry }) => entry), ...Object.entries(parts).map(each => entryOf(...each))]
    const pages = Object.entries(heads).map(([path, head]) => ({
      entry: sourceEntry(path),
      head: { logos: [], icons: [], nav: [], ...head },
      text: pageTexts[path] ?? '',
      meta: { aliases: [] },
    }))
    const found = Object.entries(colors).map(([name, hex]) => ({ name, fields: new Map([['hex', hex]]) }))
    const typed = Object.entries(types).map(([name, family]) => ({ name, fields: new Map([['family', family]]) }))
    const styles = guideStyles([{ colors: found, types: typed, notes: new Map() }])
    assert.ok(styles.ok)
    const { texts, notes } = await describeProject(placed, styles.value, { ...SITE, name, all, pages, ...own })
    const written = texts.map(({ to, content }): [string, unknown] => [to, parse(content)])
    const candidates = notes.guessed.flatMap(guess => guess.candidates ?? [])
    return withoutEmpty({ ...Object.fromEntries(written), report: noteRows(notes), candidates })
  },
)

test('project.yaml has the name and the contact that the source says', async () => {
  const facts = { name: 'Acme & Co: "brand"', contact: 'brand@acme.example' }
  const { texts } = await describeProject([], { colors: [], types: [] }, { ...SITE, ...facts, all: [], pages: [] })
  const seen = texts.map(({ content }) => parse(content))
  assert.deepEqual(seen, [{ ...facts, visibility: 'private' }])
})
