import { groupsOf } from '#platform/base/text.ts'
import { type BrandFile, type FolderNotes, filename, folderOf, fontMetadata, isFont, isPicture } from './file.ts'
import { openFormatFolders, type PlaceOf } from './format-folders.ts'
import { foldersAbove } from './portable-paths.ts'

/**
 * Whether the website offers a file in its library. A picture below `pages/` is only an illustration if a page shows it
 * or links to it. The file's own `library` setting overrides this.
 *
 * @param shown the `pathWithoutFormat` of all pictures that pages show or link to
 */
export function isInLibrary(file: BrandFile, shown: ReadonlySet<string>): boolean {
  return file.library ?? !(mayIllustrate(file) && shown.has(pathWithoutFormat(file.path)))
}

/** Whether the links of pages decide if a file is in the library. */
export function mayIllustrate(file: BrandFile): boolean {
  return file.library === undefined && file.path.startsWith('pages/') && isPicture(file)
}

/** One item in all its formats: originals before variants, each by path. */
export type FormatGroup = readonly [BrandFile, ...BrandFile[]]

/**
 * Groups the formats of one item: files joined by `variantOf`, and files in one place whose names differ only in
 * extension or density, such as `logo.svg`, `PDF/logo.pdf` and `PNG/logo@2x.png`. A variant for another background is another
 * item. JSON belongs to a picture only by `variantOf`, because most such files are data about it. Fonts of one cut that are
 * split by script, such as `acme-latin.woff2` and `acme-arabic.woff2`, are one item. Groups are in the order of their first
 * files.
 */
export function formatGroups(
  files: ReadonlyMap<string, BrandFile>,
  placeOf = openFormatFolders(files.keys()),
): FormatGroup[] {
  const groups = new Map<string, [BrandFile, ...BrandFile[]]>()
  for (const file of files.values()) {
    const original = isOwnVersion(file, files) ? file : originalOf(file, files)
    const name = /\.json$/i.test(original.path) ? original.path : nameWithoutFormat(original, placeOf)
    const group = groups.get(name)
    if (group) group.push(file)
    else groups.set(name, [file])
  }
  return Array.from(groups.values(), group => group.sort((a, b) => isVariant(a) - isVariant(b)))
}

/** Sorts items by `order`, then the main logo, then logos, then by path; folders by the `order` of the closest one that has it. */
export function inLibraryOrder(
  groups: readonly FormatGroup[],
  themeLogos: ReadonlySet<string>,
  described: readonly FolderNotes[] = [],
  folderOfItem = ([first]: FormatGroup) => folderOf(first.path),
): FormatGroup[] {
  const ranked = groups.map(group => {
    const fileOrders = group.flatMap(({ order }) => order ?? [])
    const rank = Math.max(...group.map(file => logoRank(file, themeLogos)))
    return { group, order: Math.min(...fileOrders), rank }
  })
  const folders = Map.groupBy(ranked, ({ group }) => folderOfItem(group))
  const orderOf = folderOrders(described)
  return Array.from(folders, ([folder, items]) => ({ items: items.sort(compareItems), ...orderOf(folder) }))
    .sort((a, b) => a.order - b.order || a.distance - b.distance || compareFirst(a.items, b.items))
    .flatMap(({ items }) => items.map(({ group }) => group))
}

/** `order` is infinite for an item without one. */
type Ranked = { group: FormatGroup; order: number; rank: number }

/** Items that compare as equal keep their order. */
function compareItems(a: Ranked, b: Ranked): number {
  return a.order === b.order ? b.rank - a.rank : a.order - b.order
}

function compareFirst([a]: Ranked[], [b]: Ranked[]): number {
  return a && b ? compareItems(a, b) : 0
}

/** Finds the order of the closest folder that has one, and how far above it is: 0 for the folder itself, -1 if none has. */
function folderOrders(described: readonly FolderNotes[]) {
  const withOrder = described.filter(({ order }) => order !== undefined)
  const orderAt = new Map(withOrder.map(({ path, order }) => [path, order]))
  return (folder: string) => {
    const orders = foldersAbove(`${folder}/`)
      .toReversed()
      .map(path => orderAt.get(path))
    const distance = orders.findIndex(order => order !== undefined)
    return { order: orders[distance] ?? Number.MAX_VALUE, distance }
  }
}

/**
 * The first logo of the theme comes before its others, and those before files that are only called logos, of which
 * `logo.svg` and `acme-logo.svg` come before `logo-black.svg` and `acme-logo-black.svg`.
 */
function logoRank(file: BrandFile, themeLogos: ReadonlySet<string>): number {
  const [main] = themeLogos
  if (themeLogos.has(file.path)) return file.path === main ? 4 : 3
  if (!isLogo(file)) return 0
  const name = filename(pathWithoutFormat(file.path))
  return (/^logo/i.test(name) ? 2 : 1) + (/logo$/i.test(name) ? 0.5 : 0)
}

/** Whether the path of a picture says that it is a logo, not an icon to log out. */
export function isLogo(file: BrandFile): boolean {
  return isPicture(file) && /^files\/.*(?:logo(?!ut)|wordmark)/i.test(file.path)
}

/**
 * The path without extension and density: `files/logo` for `files/logo@2x.png`. An extension has a letter: `v1.2` has
 * none.
 */
export function pathWithoutFormat(path: string): string {
  return path.replace(/\.(?=[^./]*[a-z])[a-z0-9]{1,8}$/i, '').replace(/@[1-9](?:\.[0-9])?x$/i, '')
}

/** The original at the end of a chain of variants; the file itself if it is no variant or the chain is a cycle. */
function originalOf(file: BrandFile, files: ReadonlyMap<string, BrandFile>): BrandFile {
  let original = file
  for (let step = 0; step < MAX_STEPS; step++) {
    const next = original.variantOf === undefined ? undefined : files.get(original.variantOf)
    if (!next) return original
    original = next
  }
  return file
}

const MAX_STEPS = 8

/** Whether a variant is made for another background than its original: it looks different, so it is another item. */
function isOwnVersion({ ground, variantOf = '' }: BrandFile, files: ReadonlyMap<string, BrandFile>): boolean {
  const original = files.get(variantOf)
  return original !== undefined && ground !== undefined && ground !== original.ground
}

function isVariant({ variantOf }: BrandFile): number {
  return variantOf === undefined ? 0 : 1
}

function nameWithoutFormat(file: BrandFile, placeOf: PlaceOf): string {
  const place = placeOf(file.path)
  return cutOf(file, place) ?? pathWithoutFormat(place)
}

/** The cut of a font that has a file for each script, the same for `acme-latin.woff2` and `acme-arabic.woff2`. */
function cutOf(file: BrandFile, place: string): string | undefined {
  const { family, weight, style } = fontMetadata(file)
  const [, start, , end] = groupsOf(SCRIPT, withoutExtension(place))
  if (family === undefined || start === undefined) return undefined
  return JSON.stringify([start, end, family, weight, style])
}

/** The script in the name of a font file: `latin-ext` for `acme-latin-ext-400.woff2`. Undefined for other files. */
export function scriptOf(file: BrandFile): string | undefined {
  return isFont(file) ? groupsOf(SCRIPT, withoutExtension(file.path))[2] : undefined
}

function withoutExtension(path: string): string {
  return path.replace(/\.[a-z0-9]+$/i, '')
}

/** The last script in a file name, between marks; also the number of a subset: `acme.[12]`, `acme-subset-3`. */
const SCRIPT = new RegExp(
  `^(.*)[-_. ]((?:${[
    'adlam|arabic|armenian|bengali|chinese|cyrillic|devanagari|emoji|ethiopic|georgian|greek|gujarati|gurmukhi|hebrew',
    'japanese|kannada|khmer|korean|lao|latin|malayalam|math|myanmar|oriya|sinhala|symbols|tamil|telugu|thai|tibetan',
    'vietnamese',
  ].join('|')})(?:[-_]?ext|[1-9])?|subset[-_]?\\d+|\\[\\d+\\])(?=[-_. ]|$)([^/]*)$`,
  'i',
)
