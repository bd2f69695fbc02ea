import type { Color } from '../../brand/color.ts'

/** What a link of a page leads to, as its card shows it. */
export type LinkTarget = ColorTarget | PaletteTarget | TypeTarget | FileTarget | FolderTarget | PageTarget

/** A colour; `href` leads to its place among all of them. */
export type ColorTarget = { kind: 'color'; color: Color; href: string }

/** All colours, or a group of them: the first ones, and how many there are. */
export type PaletteTarget = { kind: 'palette'; colors: readonly ColorTarget[]; count: number }

/** A type style, or the first of all; each is set in its class of the guide's style sheet. */
type TypeTarget = { kind: 'type'; styles: readonly TypeSample[] }

/** A type style: its class, where it stands among all of them, and what is said of it in a line. */
export type TypeSample = { name: string; className: string; href: string; facts: string; sample?: string }

/** A file to download, with its facts in a line: `SVG, 240 × 80, 3.1 KB`. */
export type FileTarget = {
  kind: 'file'
  type: string
  facts: string
  preview?: Preview | undefined
  /** How it is played, if it is. */
  media?: 'audio' | 'video' | undefined
}

/** A folder to download as one archive. */
export type FolderTarget = { kind: 'folder'; facts: string; pictures: readonly Preview[] }

/** A page; its card has a cover only if the page has one. */
export type PageTarget = { kind: 'page'; description?: string | undefined; cover?: Preview | undefined }

/** What stands on the face of a card: a picture, on a ground if it is for one, or one colour. */
export type Preview =
  | { src: string; srcset?: string; width: number; height: number; alt: string; ground?: string | undefined }
  | { src?: never; ground: string }
