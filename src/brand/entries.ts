import { pick, withoutUndefined } from '../base/object.ts'
import { compareStrings } from '../base/text.ts'
import { type Appearance, OFFICE_COLORS, OFFICE_FONTS, THEME_FIELDS } from './appearance.ts'
import { COLOR_FIELDS, type Color } from './color.ts'
import { keysOf } from './fields.ts'
import { type BrandFile, FILE_NOTE_KEYS, FOLDER_FIELDS } from './file.ts'
import { LINT_RULES, type LintSettings } from './lint-rules.ts'
import { type Cover, PAGE_FIELDS, type Page, type Target } from './page.ts'
import { TYPE_FIELDS, type TypeStyle } from './type-style.ts'

/* Entries have their fields in the order of a table because the key order affects the snapshot hash. */

/** A page as a snapshot holds it. */
export function pageEntry(page: Page): Page {
  const { links, cover } = page
  const entry = { ...page, links: links.map(linkEntry), ...(cover && { cover: coverEntry(cover) }) }
  return pick(entry, keysOf(PAGE_FIELDS))
}

/** A colour as a snapshot holds it. */
export function colorEntry(color: Color): Color {
  return pick(color, keysOf(COLOR_FIELDS))
}

/** A type style as a snapshot holds it. */
export function typeEntry(type: TypeStyle): TypeStyle {
  const { features, axes } = type
  const sorted = { ...type, features: sortedByTag(features), ...(axes && { axes: sortedByTag(axes) }) }
  return pick(sorted, TYPE_KEYS)
}

const TYPE_KEYS = [...keysOf(TYPE_FIELDS).filter(key => key !== 'axes'), 'axes'] as const

function sortedByTag(settings: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(settings).sort(([a], [b]) => compareStrings(a, b)))
}

/** A file as a snapshot holds it. */
export function fileEntry(file: BrandFile): BrandFile {
  const { metadata } = file
  return {
    ...pick(file, ['path', 'size', 'contentType', 'hash']),
    ...(metadata && { metadata: metadataEntry(metadata) }),
    ...pick(file, FILE_NOTE_KEYS),
  }
}

/** An appearance as a snapshot holds it; undefined if it has no fields. */
export function appearanceEntry(appearance: Appearance): Appearance | undefined {
  const { theme, isNeutral, socialImage, contact, footer, office, nav, folders, words, lint } = appearance
  const entry = withoutUndefined({
    theme: theme && pick(theme, keysOf(THEME_FIELDS)),
    isNeutral,
    socialImage,
    contact,
    footer: footer?.map(({ name, url }) => ({ name, url })),
    office: office && pick(office, [...OFFICE_COLORS, ...OFFICE_FONTS]),
    nav,
    folders: folders?.map(folder => pick(folder, ['path', ...keysOf(FOLDER_FIELDS)])),
    words: words?.map(word => pick(word, ['write', 'not', 'reason', 'page'])),
    lint: lint && lintEntry(lint),
  } satisfies Record<keyof Appearance, unknown>)
  return Object.keys(entry).length === 0 ? undefined : entry
}

function lintEntry({ rules, ...lint }: LintSettings): LintSettings {
  return pick({ ...lint, ...(rules && { rules: pick(rules, keysOf(LINT_RULES)) }) }, ['ignore', 'rules', 'neutrals'])
}

function coverEntry({ file, color, focus, fit, text }: Cover): Cover {
  return { ...(file === undefined ? { color } : { file }), ...withoutUndefined({ focus, fit, text }) }
}

function linkEntry({ start, end, to }: Page['links'][number]): Page['links'][number] {
  return { start, end, to: targetEntry(to) }
}

function targetEntry(to: Target): Target {
  if (to.page !== undefined) return { page: to.page }
  if (to.file !== undefined) return { file: to.file }
  if (to.folder !== undefined) return { folder: to.folder }
  if (to.words) return { words: true }
  return { list: to.list, ...withoutUndefined({ id: to.id, group: to.group }) }
}

const METADATA = ['family', 'subFamily', 'weight', 'style', 'width', 'height', 'description']

function metadataEntry(metadata: NonNullable<BrandFile['metadata']>): NonNullable<BrandFile['metadata']> {
  const fields = Object.entries(metadata).filter(([, value]) => value !== undefined)
  return Object.fromEntries(fields.sort(([a], [b]) => METADATA.indexOf(a) - METADATA.indexOf(b)))
}
