import { type BrandFile, filename, isPicture } from '../../../brand/file.ts'
import type { StyleId } from '../../../brand/ids.ts'
import type { FormatGroup } from '../../../brand/library.ts'
import type { Words } from '../../words/words.ts'
import { type Kind, kindOf, type Preview, previewOf, typeName } from './file-kind.ts'

/** An item of the library with all its formats, as lists show it. */
export type LibraryItem = {
  name: string
  kind: Kind
  /** The file whose path identifies the item. */
  first: BrandFile
  /** The format to open: the one that browsers show best. */
  shown: BrandFile
  preview: Preview | undefined
  description: string
  /** The colour of its background. */
  ground: StyleId | undefined
  /** Sorted by how often users need them. */
  formats: readonly BrandFile[]
}

/** The item of a group of formats. */
export function libraryItem(group: FormatGroup): LibraryItem {
  const [first] = group
  const formats = group.length === 1 ? group : group.toSorted((a, b) => rankOf(a) - rankOf(b))
  const shown = formats.find(file => previewOf(file)) ?? formats[0] ?? first
  const candidates = [shown, ...group]
  return {
    name: titleOf(group) ?? nameOf(group),
    kind: kindOf(shown),
    first,
    shown,
    preview: previewOf(shown),
    description:
      candidates.map(file => (isPicture(file) && file.metadata?.description) || '').find(text => text !== '') ?? '',
    ground: candidates.find(({ ground }) => ground !== undefined)?.ground,
    formats,
  }
}

/** The title of an item. The title of a variant applies only to that format, unless there is no other. */
function titleOf(group: FormatGroup): string | undefined {
  const originals = group.filter(({ variantOf }) => variantOf === undefined)
  return (originals.length > 0 ? originals : group).find(({ title }) => title !== undefined)?.title
}

/** The file name, without its extension if the item has several formats. */
function nameOf([first, ...others]: FormatGroup): string {
  const name = filename(first.path)
  return others.length === 0 ? name : name.replace(/(?<=.)\.[^.]*$/, '')
}

/** Scalable formats first, and installable fonts before web fonts. */
const ORDER = [
  'WebM',
  'MP4',
  'MP3',
  'SVG',
  'PDF',
  'EPS',
  'AI',
  'PNG',
  'JPEG',
  'WebP',
  'AVIF',
  'GIF',
  'OTF',
  'TTF',
  'WOFF2',
]

function rankOf(file: BrandFile): number {
  const rank = ORDER.indexOf(typeName(file) ?? '')
  return rank === -1 ? ORDER.length : rank
}

/** The label of a format: `SVG`, `PNG @2x`, or with its own title `For dark pages, SVG`. */
export function formatName({ files }: Words, file: BrandFile, { name, formats }: Named): string {
  const density = /@[1-9](?:\.[0-9])?x(?=\.[^.]*$)/i.exec(file.path)?.[0] ?? ''
  const type = `${typeName(file) ?? files.file} ${density}`.trimEnd()
  const { title = name, variantOf } = file
  return title === name || variantOf === undefined || formats.length === 1 ? type : `${title}, ${type}`
}

type Named = Pick<LibraryItem, 'name' | 'formats'>
