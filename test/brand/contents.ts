import {
  CORNERS,
  DARK_MODES,
  LINES,
  MOTIONS,
  NAVIGATIONS,
  OFFICE_COLORS,
  OFFICE_FONTS,
  THEME_FIELDS,
  type Theme,
} from '#brand/appearance.ts'
import { COLOR_FIELDS, type Color } from '#brand/color.ts'
import type { Content } from '#brand/draft.ts'
import type { Field, FieldTable } from '#brand/fields.ts'
import { FILE_FIELDS, FILE_NOTE_KEYS, type FileNotes, MEDIA } from '#brand/file.ts'
import { isPageId, isStyleId } from '#brand/ids.ts'
import { LINT_LEVELS, NEUTRALS } from '#brand/lint-rules.ts'
import type { Target } from '#brand/page.ts'
import { hashOf } from '#brand/snapshot.ts'
import { CASINGS, FONT_STYLES, TYPE_FIELDS, type TypeStyle } from '#brand/type-style.ts'
import { pick } from '#platform/base/object.ts'
import { fc } from '../support/random.ts'

const hash = fc.nat(5).map(number => hashOf(Uint8Array.of(number)))
const text = fc.constantFrom('A', 'b', 'Ümläut', '')
const pageId = fc.constantFrom(...['index', 'a', 'a/b', 'c'].filter(isPageId))
const styleId = fc.constantFrom(...['ink', 'paper', 'red'].filter(isStyleId))
const path = fc.constantFrom('files/a', 'files/b', 'pages/c.svg')
const to = fc.oneof(
  pageId.map((page): Target => ({ page })),
  path.map((file): Target => ({ file })),
  fc.constantFrom<Target>({ folder: 'files' }, { folder: 'files/a' }, { words: true }),
  fc
    .record(
      { list: fc.constantFrom('colors' as const, 'types' as const), id: styleId, group: text },
      { noNullPrototype: true, requiredKeys: ['list'] },
    )
    .map((to): Target => to),
)
const link = fc.record({ start: fc.nat(3), end: fc.nat(3), to }, { noNullPrototype: true })

const page = fc.record(
  {
    id: pageId,
    name: text,
    description: text,
    content: hash,
    links: fc.array(link, { maxLength: 2 }),
    cover: fc.oneof(
      path.map(file => ({ file })),
      styleId.map(color => ({ color })),
    ),
    ground: styleId,
    wide: fc.boolean(),
    nav: text,
    aliases: fc.array(text, { maxLength: 2 }),
    bands: fc.array(styleId, { maxLength: 2 }),
  },
  { noNullPrototype: true, requiredKeys: ['id', 'name', 'content', 'links'] },
)

/** Few values of each kind of field. */
const VALUES: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  'style id': styleId,
  style: styleId,
  styles: fc.array(styleId, { maxLength: 2 }),
  file: path,
  flag: fc.boolean(),
  'flag, false by default': fc.boolean(),
  casing: fc.constantFrom(...CASINGS),
  'font style': fc.constantFrom(...FONT_STYLES),
  features: fc.dictionary(fc.constantFrom('tnum', 'liga', 'ss01'), fc.nat(1), { noNullPrototype: true }),
  inks: fc.dictionary(fc.constantFrom('HKS', 'TOYO'), text, { maxKeys: 1, noNullPrototype: true }),
  axes: fc.dictionary(fc.constantFrom('SOFT', 'WONK', 'slnt'), fc.nat(1), { noNullPrototype: true }),
  families: fc.array(text, { maxLength: 2 }),
  media: fc.subarray([...MEDIA], { minLength: 1 }),
  corners: fc.oneof(fc.constantFrom(...CORNERS), fc.nat(3)),
  scale: fc.dictionary(fc.constantFrom('title', 'h2', 'label'), styleId, { minKeys: 1, noNullPrototype: true }),
  lines: fc.constantFrom(...LINES),
  motion: fc.constantFrom(...MOTIONS),
  'dark mode': fc.constantFrom(...DARK_MODES),
}
const NUMBERS = new Set(['ral', 'per cent', 'size', 'leading', 'tracking', 'spacing', 'weight', 'px', 'order'])

/** Things with any of the fields of a table. */
function thingsOf<Thing extends object>(
  table: Readonly<Record<keyof Thing & string, Field>>,
  requiredKeys: readonly (keyof Thing & string)[],
): fc.Arbitrary<Thing>
function thingsOf(table: FieldTable, requiredKeys: readonly string[]): fc.Arbitrary<object> {
  const valuesOf = ({ kind }: Field) => VALUES[kind] ?? (NUMBERS.has(kind) ? fc.nat(3) : text)
  const values = Object.fromEntries(Object.entries(table).map(([key, field]) => [key, valuesOf(field)]))
  return fc.record(values, { noNullPrototype: true, requiredKeys: [...requiredKeys] })
}

const color = thingsOf<Color>(COLOR_FIELDS, ['id', 'name', 'rgb', 'hex'])
const type = thingsOf<TypeStyle>(TYPE_FIELDS, ['id', 'name', 'casing', 'responsive', 'features'])
const notes = thingsOf<FileNotes>(pick(FILE_FIELDS, FILE_NOTE_KEYS), [])
const theme = thingsOf<Theme>(THEME_FIELDS, [])

const metadata = fc.oneof(
  fc.record(
    { family: text, subFamily: text, weight: fc.nat(3), style: fc.constant('italic' as const) },
    { noNullPrototype: true, requiredKeys: [] },
  ),
  fc.record({ width: fc.nat(3), height: fc.nat(3), description: text }, { noNullPrototype: true, requiredKeys: [] }),
)

const file = fc
  .tuple(
    notes,
    fc.record(
      { path, size: fc.nat(3), contentType: text, hash, metadata },
      { noNullPrototype: true, requiredKeys: ['path', 'size', 'contentType', 'hash'] },
    ),
  )
  .map(([notes, file]) => ({ ...file, ...notes }))

const office = fc.record(
  {
    ...Object.fromEntries(OFFICE_COLORS.map(slot => [slot, styleId])),
    ...Object.fromEntries(OFFICE_FONTS.map(slot => [slot, text])),
  },
  { noNullPrototype: true, requiredKeys: [] },
)

const level = fc.constantFrom(...LINT_LEVELS)
const lint = fc.record(
  {
    ignore: fc.array(text, { maxLength: 2 }),
    rules: fc.record({ 'color-off': level, unreadable: level }, { noNullPrototype: true, requiredKeys: [] }),
    neutrals: fc.constantFrom(...NEUTRALS),
    fonts: fc.array(text, { maxLength: 2 }),
  },
  { noNullPrototype: true, requiredKeys: [] },
)

/** Any content, from few values, so that two contents are often almost equal. */
export const contents: fc.Arbitrary<Content> = fc.record(
  {
    name: text,
    lang: text,
    pages: fc.uniqueArray(page, { selector: ({ id }) => id }),
    colors: fc.uniqueArray(color, { selector: ({ id }) => id }),
    types: fc.uniqueArray(type, { selector: ({ id }) => id }),
    files: fc.uniqueArray(file, { selector: ({ path }) => path }),
    theme,
    socialImage: path,
    contact: text,
    footer: fc.array(fc.record({ name: text, url: text }, { noNullPrototype: true }), { maxLength: 2 }),
    office,
    nav: fc.constantFrom(...NAVIGATIONS),
    folders: fc.array(
      fc.record(
        { path, title: text, order: fc.nat(3), description: text },
        { noNullPrototype: true, requiredKeys: ['path'] },
      ),
      { maxLength: 2 },
    ),
    words: fc.array(
      fc.record(
        { write: text, not: fc.array(text, { maxLength: 2 }), reason: text, page: pageId },
        { noNullPrototype: true, requiredKeys: ['write', 'not'] },
      ),
      { maxLength: 2 },
    ),
    lint,
  },
  { noNullPrototype: true, requiredKeys: ['name', 'pages', 'colors', 'types', 'files'] },
)

/** The same value with reordered object keys. */
export function shuffledKeys<Value>(value: Value, numbers: Iterator<number>): Value
export function shuffledKeys(value: unknown, numbers: Iterator<number>): unknown {
  if (Array.isArray(value)) return value.map(each => shuffledKeys(each, numbers))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, each]) => ({ key, each, at: Number(numbers.next().value) }))
  return Object.fromEntries(
    entries.sort((a, b) => a.at - b.at).map(({ key, each }) => [key, shuffledKeys(each, numbers)]),
  )
}

/** Contents that each differ from the given one in a single value. */
export function single(content: Content, at: number): Content[] {
  const { pages, colors, types, files } = content
  const changed = <Entry>(list: readonly Entry[], change: (entry: Entry) => Entry): Entry[][] => {
    const index = at % Math.max(list.length, 1)
    const entry = list[index]
    return entry === undefined ? [] : [list.toSpliced(index, 1), list.with(index, change(entry))]
  }
  const swapped = <Entry>(list: readonly Entry[]): Entry[][] => (list.length > 1 ? [list.toReversed()] : [])
  return [
    { ...content, name: `${content.name}!` },
    ...changed(pages, page => ({ ...page, description: 'another' })).map(pages => ({ ...content, pages })),
    ...changed(pages, page => ({ ...page, links: [...page.links, { start: 9, end: 9, to: { file: 'x' } }] }))
      .slice(1)
      .map(pages => ({ ...content, pages })),
    ...changed(colors, color => ({ ...color, pms: 'another' })).map(colors => ({ ...content, colors })),
    { ...content, contact: `${content.contact}!` },
    { ...content, words: [...(content.words ?? []), { write: 'another', not: [] }] },
    { ...content, lint: { ...content.lint, ignore: ['another'] } },
    { ...content, office: { ...content.office, minor: 'another' } },
    { ...content, theme: { ...content.theme, corners: 99 } },
    ...changed(pages, page => ({ ...page, nav: 'another' }))
      .slice(1)
      .map(pages => ({ ...content, pages })),
    ...changed(colors, color => ({ ...color, use: 'another' }))
      .slice(1)
      .map(colors => ({ ...content, colors })),
    ...changed(types, type => ({ ...type, sample: 'another' }))
      .slice(1)
      .map(types => ({ ...content, types })),
    ...changed(files, file => ({ ...file, title: 'another' }))
      .slice(1)
      .map(files => ({ ...content, files })),
    ...changed(types, type => ({ ...type, features: { ...type.features, zero: 1 } })).map(types => ({
      ...content,
      types,
    })),
    ...changed(files, file => ({ ...file, metadata: { width: 99 } })).map(files => ({ ...content, files })),
    ...swapped(pages).map(pages => ({ ...content, pages })),
    ...swapped(colors).map(colors => ({ ...content, colors })),
  ]
}
