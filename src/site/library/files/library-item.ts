import { type BrandFile, filename, fontMetadata, isFont, isPicture, pictureMetadata } from '#brand/file.ts'
import type { StyleId } from '#brand/ids.ts'
import { type FormatGroup, isLogo, pathWithoutFormat, scriptOf } from '#brand/library.ts'
import { variableWeights } from '#delivery/export/fonts/font-faces.ts'
import { fontName } from '#formats/font/font-weight.ts'
import { groupsOf } from '#platform/base/text.ts'
import { type Kind, kindOf, type Preview, previewOf, typeName, typeWord } from '../../guide/file-kind.ts'
import type { Guide } from '../../guide/guide.ts'
import { PDF } from '../../thumbnails/thumbnail.ts'
import type { Words } from '../../words/words.ts'
import { knownFacts } from '../type/faces/guide-fonts.ts'
import { fontSamples } from '../type/font-sample.ts'

/** An item of the library: one design in all its formats. */
export type LibraryItem = {
  name: string
  /** The name within a joined one: `dark` in `Outline · dark`. */
  spacedName: string
  kind: Kind
  /** The file whose path identifies the item. */
  first: BrandFile
  /** The format to open: the one that browsers show best. */
  shown: BrandFile
  preview: Preview | undefined
  description: string
  ground: StyleId | undefined
  /** Sorted by how often users need them. */
  formats: readonly BrandFile[]
}

/** The item for a group of files that are formats of one another, such as `logo.svg` and `logo.png`. */
export function libraryItem(group: FormatGroup, isVariable = false): LibraryItem {
  const [first] = group
  const formats = group.length === 1 ? group : group.toSorted((a, b) => rankOf(a) - rankOf(b))
  const originals = group.filter(({ variantOf }) => variantOf === undefined)
  // The page of a PDF, and a variant, are shown only if nothing else can be.
  const previews = [...formats.filter(file => originals.includes(file)), ...formats].filter(previewOf)
  const shown = previews.find(({ contentType }) => contentType !== PDF) ?? previews[0] ?? formats[0] ?? first
  // The first file with a description or a ground gives it to the item.
  const candidates = [shown, ...originals, ...group]
  const fileName = spaced(filename(pathWithoutFormat(first.path)))
  const givenName = titleOf(group) ?? fontName(fontMetadata(first), isVariable)
  return {
    name: givenName ?? capitalised(fileName),
    spacedName: givenName ?? fileName,
    kind: kindOf(shown),
    first,
    shown,
    preview: previewOf(shown),
    description: candidates.map(file => pictureMetadata(file).description).find(Boolean) ?? '',
    ground: candidates.find(({ ground }) => ground !== undefined)?.ground,
    formats,
  }
}

/** The title of an item. The title of a variant applies only to that format, unless there is no other. */
function titleOf(group: FormatGroup): string | undefined {
  const originals = group.filter(({ variantOf }) => variantOf === undefined)
  return (originals.length > 0 ? originals : group).find(({ title }) => title !== undefined)?.title
}

/** Whether an item is shown as a picture, which may be on any colour. */
export function isShownAsPicture({ shown, preview }: LibraryItem): boolean {
  return preview?.kind === 'picture' && isPicture(shown)
}

/** Whether an item is shown as a picture or a film. */
export function isPictured(item: LibraryItem): boolean {
  return isShownAsPicture(item) || item.preview?.kind === 'video'
}

/** Whether an item is shown as letters of a font. */
export function isShownAsFont({ preview }: LibraryItem): boolean {
  return preview?.kind === 'font'
}

/** Whether an item is a small drawing, such as of an icon set. */
export function isIcon({ shown, preview }: LibraryItem): boolean {
  return preview?.kind === 'picture' && Math.max(preview.width, preview.height) <= MAX_ICON && !isLogo(shown)
}

/** In pixels. */
const MAX_ICON = 64

/** Items, with the letters of their fonts. The name of a variable font has no weight, unless an author wrote it. */
export async function namedItems(guide: Guide, groups: readonly FormatGroup[]) {
  const items = groups.map(group => libraryItem(group))
  const fonts = items.filter(isShownAsFont).map(({ shown }) => shown)
  const { sampleOf, keptMs } = await fontSamples(guide, fonts)
  const named = items.map((item, at) => {
    const group = sampleOf(item.shown).weights && groups[at]
    return group ? libraryItem(group, true) : item
  })
  return { items: named, fonts, sampleOf, keptMs }
}

/** Reads these items of the library, with the names of their fonts as in `namedItems`. */
export async function itemReader(
  guide: Guide,
  groups: readonly FormatGroup[],
): Promise<(group: FormatGroup) => LibraryItem> {
  const faces = groups.filter(([file]) => isFont(file)).map(([file]) => ({ file }))
  const { facts } = await knownFacts(guide, faces, MAX_NAME_WAIT_MS)
  const variableFaces = faces.filter(face => variableWeights(facts.get(face)))
  const variableFonts = new Set<BrandFile>(variableFaces.map(({ file }) => file))
  return group => libraryItem(group, variableFonts.has(group[0]))
}

/** The wait for facts of fonts, which only decide whether a name has a weight. */
const MAX_NAME_WAIT_MS = 1000

/** Scalable formats first, and installable fonts before web fonts. */
const ORDER = 'WebM MP4 MP3 SVG PDF EPS AI PNG JPEG WebP AVIF GIF OTF TTF WOFF2'.split(' ')

function rankOf(file: BrandFile): number {
  const rank = ORDER.indexOf(typeName(file) ?? '')
  return rank === -1 ? ORDER.length : rank
}

/**
 * The label of a format: `SVG`, `PNG @2x`; `Cyrillic, WOFF2` if the item has fonts for several scripts; and for a variant
 * with its own title, without the name of the item, `For dark pages, SVG`.
 */
export function formatName(words: Words, file: BrandFile, { name, formats }: Named): string {
  const density = groupsOf(/@[1-9](?:\.[0-9])?x(?=\.[^.]*$)/i, file.path)[0] ?? ''
  const type = `${typeWord(words, file)} ${density}`.trimEnd()
  const script = scriptOf(file)
  if (script !== undefined && formats.some(each => scriptOf(each) !== script))
    return `${capitalised(spaced(script))}, ${type}`
  const { title = name, variantOf } = file
  if (title === name || variantOf === undefined || formats.length === 1) return type
  return `${title.startsWith(`${name}, `) ? title.slice(name.length + 2) : title}, ${type}`
}

type Named = Pick<LibraryItem, 'name' | 'formats'>

/** Converts `colour-sheets` to `colour sheets`. */
export function spaced(name: string): string {
  return name.replace(/[-_]+/g, ' ').trim() || name
}

/** Gives a capital to a name without one; others keep their letters, such as `iOS`. */
export function capitalised(name: string): string {
  return name === name.toLowerCase() ? name.charAt(0).toUpperCase() + name.slice(1) : name
}
