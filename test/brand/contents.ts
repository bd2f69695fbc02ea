import { CORNERS, DARK_MODES, OFFICE_COLORS, OFFICE_FONTS } from '../../src/brand/appearance.ts'
import type { Content } from '../../src/brand/draft.ts'
import { MEDIA } from '../../src/brand/file.ts'
import { isPageId, isStyleId } from '../../src/brand/ids.ts'
import type { Target } from '../../src/brand/page.ts'
import { hashOf } from '../../src/brand/snapshot.ts'
import { CASINGS, FONT_STYLES } from '../../src/brand/type-style.ts'
import { fc } from '../support/random.ts'

const hash = fc.nat(5).map(number => hashOf(Uint8Array.of(number)))
const text = fc.constantFrom('A', 'b', 'Ümläut', '')
const pageId = fc.constantFrom(...['index', 'a', 'a/b', 'c'].filter(isPageId))
const styleId = fc.constantFrom(...['ink', 'paper', 'red'].filter(isStyleId))
const path = fc.constantFrom('files/a', 'files/b', 'pages/c.svg')
const to = fc.oneof(
  pageId.map((page): Target => ({ page })),
  path.map((file): Target => ({ file })),
  fc.constantFrom<Target>({ folder: 'files' }, { folder: 'files/a' }),
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
  },
  { noNullPrototype: true, requiredKeys: ['id', 'name', 'content', 'links'] },
)

const color = fc.record(
  {
    id: styleId,
    name: text,
    rgb: text,
    cmyk: text,
    hex: text,
    pms: text,
    pms2: text,
    ral: fc.nat(3),
    group: text,
    use: text,
    on: fc.array(styleId, { maxLength: 2 }),
    proportion: fc.nat(3),
    tintOf: styleId,
  },
  { noNullPrototype: true, requiredKeys: ['id', 'name', 'rgb', 'hex'] },
)

const type = fc.record(
  {
    id: styleId,
    name: text,
    family: text,
    size: fc.nat(3),
    leading: fc.nat(3),
    tracking: fc.nat(3),
    casing: fc.constantFrom(...CASINGS),
    spacing: fc.nat(3),
    responsive: fc.boolean(),
    features: fc.dictionary(fc.constantFrom('tnum', 'liga', 'ss01'), fc.nat(1), { noNullPrototype: true }),
    weight: fc.nat(3),
    style: fc.constantFrom(...FONT_STYLES),
    fallback: fc.array(text, { maxLength: 2 }),
    sample: text,
    axes: fc.dictionary(fc.constantFrom('SOFT', 'WONK', 'slnt'), fc.nat(1), { noNullPrototype: true }),
  },
  { noNullPrototype: true, requiredKeys: ['id', 'name', 'casing', 'responsive', 'features'] },
)

const metadata = fc.oneof(
  fc.record(
    { family: text, subFamily: text, weight: fc.nat(3), style: fc.constant('italic' as const) },
    { noNullPrototype: true, requiredKeys: [] },
  ),
  fc.record({ width: fc.nat(3), height: fc.nat(3), description: text }, { noNullPrototype: true, requiredKeys: [] }),
)

const file = fc.record(
  {
    path,
    size: fc.nat(3),
    contentType: text,
    hash,
    metadata,
    title: text,
    ground: styleId,
    variantOf: path,
    library: fc.boolean(),
    order: fc.nat(3),
    medium: fc.subarray([...MEDIA], { minLength: 1 }),
    minWidth: fc.nat(3),
    licence: text,
    territory: text,
    until: fc.constantFrom('2026-11-29', '2027-01-31'),
  },
  { noNullPrototype: true, requiredKeys: ['path', 'size', 'contentType', 'hash'] },
)

const theme = fc.record(
  {
    logo: path,
    logoDark: path,
    icon: path,
    accent: styleId,
    ground: styleId,
    text: styleId,
    heading: styleId,
    body: styleId,
    corners: fc.oneof(fc.constantFrom(...CORNERS), fc.nat(3)),
    dark: fc.constantFrom(...DARK_MODES),
  },
  { noNullPrototype: true, requiredKeys: [] },
)

const office = fc.record(
  {
    ...Object.fromEntries(OFFICE_COLORS.map(slot => [slot, styleId])),
    ...Object.fromEntries(OFFICE_FONTS.map(slot => [slot, text])),
  },
  { noNullPrototype: true, requiredKeys: [] },
)

/** Any content, from few values, so that two contents are often almost equal. */
export const contents: fc.Arbitrary<Content> = fc.record(
  {
    name: text,
    pages: fc.uniqueArray(page, { selector: ({ id }) => id }),
    colors: fc.uniqueArray(color, { selector: ({ id }) => id }),
    types: fc.uniqueArray(type, { selector: ({ id }) => id }),
    files: fc.uniqueArray(file, { selector: ({ path }) => path }),
    theme,
    socialImage: path,
    contact: text,
    footer: fc.array(fc.record({ name: text, url: text }, { noNullPrototype: true }), { maxLength: 2 }),
    office,
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
