import type { Silhouette } from '#brand/pictures/silhouette.ts'

/** A use of something that a brand decides, in the order of the file; `judge` turns uses into findings. */
export type Use<Kind extends UseKind = UseKind> = { [Each in Kind]: Place & Uses[Each] }[Kind]

export type UseKind = keyof Uses

type Uses = {
  color: ColorUse
  scheme: SchemeUse
  contrast: ContrastUse
  font: FontUse
  type: TypeUse
  words: WordsUse
  file: FileUse
  picture: PictureUse
  ink: InkUse
  build: BuildUse
  print: PrintUse
  unreadable: UnreadableUse
}

/** Lines and columns are 1-based, columns in UTF-16 code units; slides and pages are 1-based; a shape is its name. */
export type Place = { line?: number; column?: number; slide?: number; page?: number; shape?: string }

/** A resolved sRGB colour, as `#` and six digits in lower case; alpha from 0 to 1. */
export type Rgba = { hex: string; alpha: number }

/** A colour. `written` is the colour as in the file, without what is around it. */
export type ColorUse = {
  kind: 'color'
  color: Rgba
  written: string
  /** Where it is used. A definition is a variable, a token, or a colour that an Office theme or style gives. */
  role: 'text' | 'ground' | 'border' | 'shadow' | 'definition'
  /** The colour of an Office theme that a program changed, the change, and the paragraph style: "darker 25 %". */
  shade?: { of: string; change: string; style?: string }
  /** The offsets of `written` in the text of the file, if a fix may replace it. */
  span?: Span
  /** How the file writes a right colour, given as `#` and six digits; by default as a CSS colour with the same alpha. */
  rewrite?: (hex: string) => string
}

/** An opaque colour in code for dark pages only, and its own ground if that is known, both in the same form. */
type SchemeUse = { kind: 'scheme'; hex: string; written: string; ground?: string }

/** Offsets in UTF-16 code units. */
export type Span = { start: number; end: number }

/** Text and its own ground, both opaque, in the same form. A size in px; both are absent if unknown. */
type ContrastUse = { kind: 'contrast'; text: string; ground: string; size?: number; weight?: number }

/** The first family of a list that is not generic, and its `sources` if it is declared. */
type FontUse = { kind: 'font'; family: string; sources?: readonly string[]; isCode?: boolean }

/** The type of one rule, element or run: px, 1 to 1000, a multiple of the size. At least one of the three is present. */
export type TypeUse = { kind: 'type'; family?: string } & TypeValues & {
    /** The values as written, if that is another unit. */
    written?: { [Value in keyof TypeValues]?: string }
  }

type TypeValues = { size?: number; weight?: number; leading?: number }

/** Text that people read. `at` gives the places in it; `lang` is the tag of its language as the file has it. */
export type WordsUse = { kind: 'words'; text: string; at?: (offset: number) => Place; lang?: string }

/** The language of a BCP 47 tag without script and region; empty for other texts, such as placeholders of templates. */
export function languageOf(tag = ''): string {
  return /^\s*(?!und\b)([a-z]{2,3})(?:[-_]|\s*$)/i.exec(tag)?.[1]?.toLowerCase() ?? ''
}

/** Whether a text is only signs, such as a check box, which programs write in fonts that have them. */
export function isSign(text: string): boolean {
  return text.trim() !== '' && !/[^\s\p{So}\p{Co}•]/u.test(text.replaceAll(/\ufe0e|\ufe0f/g, ''))
}

/** A file inside a file, such as a picture in a deck: its name, the SHA-256 of its bytes or drawing, and its measured ink. */
export type FileUse = { kind: 'file'; name: string; hash: string; drawing?: string; ink?: Silhouette | 'none' }

/** A picture that a page shows: its address as written, or its path in the folder of the page. */
export type PictureUse = { kind: 'picture'; address: string; placement?: Placement }

/** The size of a picture in px; `fits` says that it keeps its proportions in this box. */
export type Placement = { width?: number; height?: number; fits: boolean }

/** A spot colour that paints something; `name` as in the file. */
type InkUse = { kind: 'ink'; name: string; role: 'text' | 'ground' }

/** A build of process inks, in percent from 0 to 100: cyan, magenta, yellow, black. */
export type BuildUse = { kind: 'build'; cmyk: readonly [number, number, number, number]; role: 'text' | 'ground' }

/** What printers ask about a print file. `name` is a font's; `isAllowed` says that the PDF/X version of the file allows RGB. */
type PrintUse = {
  kind: 'print'
  about: 'rgb' | 'overprint' | 'transparency' | 'font-not-embedded'
  name?: string
  isAllowed?: boolean
}

/** A file, or a part of it, that cannot be read. The message says what is wrong, and what to do. */
type UnreadableUse = { kind: 'unreadable'; message: string }
