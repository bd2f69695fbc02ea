import { type BrandFile, filename, isPicture } from '../../../brand/file.ts'
import type { StyleId } from '../../../brand/ids.ts'
import type { FormatGroup } from '../../../brand/library.ts'
import type { Words } from '../../words/words.ts'
import { type Kind, kindOf, type Preview, previewOf, typeName } from './file-kind.ts'

/** A thing of the library with all its formats, as lists show it. */
export type LibraryItem = {
  name: string
  kind: Kind
  /** The file whose path the item is found by. */
  first: BrandFile
  /** What it is opened in: the format that a browser shows best. */
  shown: BrandFile
  preview: Preview | undefined
  description: string
  /** The colour that it is for. */
  ground: StyleId | undefined
  /** In the order that people look for them. */
  formats: readonly BrandFile[]
}

/** The item that a group of formats makes. */
export function libraryItem(group: FormatGroup): LibraryItem {
  const [first] = group
  const formats = group.length === 1 ? group : group.toSorted((a, b) => rankOf(a) - rankOf(b))
  const shown = formats.find(file => previewOf(file)) ?? formats[0] ?? first
  const noted = [shown, ...group]
  return {
    name: titleOf(group) ?? nameOf(group),
    kind: kindOf(shown),
    first,
    shown,
    preview: previewOf(shown),
    description:
      noted.map(file => (isPicture(file) && file.metadata?.description) || '').find(text => text !== '') ?? '',
    ground: noted.find(({ ground }) => ground !== undefined)?.ground,
    formats,
  }
}

/** The title of a thing; that of a variant is of this format alone, unless there is nothing else. */
function titleOf(group: FormatGroup): string | undefined {
  const originals = group.filter(({ variantOf }) => variantOf === undefined)
  return (originals.length > 0 ? originals : group).find(({ title }) => title !== undefined)?.title
}

/** The name of a file; without its extension if there are others. */
function nameOf([first, ...others]: FormatGroup): string {
  const name = filename(first.path)
  return others.length === 0 ? name : name.replace(/(?<=.)\.[^.]*$/, '')
}

/** What can be drawn at any size comes first, and of fonts what is installed. */
const ORDER = ['MP4', 'MP3', 'SVG', 'PDF', 'EPS', 'AI', 'PNG', 'JPEG', 'WebP', 'AVIF', 'GIF', 'OTF', 'TTF', 'WOFF2']

function rankOf(file: BrandFile): number {
  const rank = ORDER.indexOf(typeName(file) ?? '')
  return rank === -1 ? ORDER.length : rank
}

/** What a format of an item is called: `SVG`, `PNG @2x`, or by a title of its own `For dark pages, SVG`. */
export function formatName({ files }: Words, file: BrandFile, { name, formats }: Named): string {
  const density = /@[1-9](?:\.[0-9])?x(?=\.[^.]*$)/i.exec(file.path)?.[0] ?? ''
  const type = `${typeName(file) ?? files.file} ${density}`.trimEnd()
  const { title = name, variantOf } = file
  return title === name || variantOf === undefined || formats.length === 1 ? type : `${title}, ${type}`
}

type Named = Pick<LibraryItem, 'name' | 'formats'>
