import type { Element } from 'hast'
import type { Color } from '#brand/color.ts'
import type { StyleId } from '#brand/ids.ts'
import type { BrandWord } from '#brand/lint-rules.ts'
import type { Word } from '../html.ts'

/** The target of a link on a page, as its card shows it. */
export type LinkTarget =
  | ColorTarget
  | PaletteTarget
  | TypeTarget
  | FileTarget
  | FolderTarget
  | PageTarget
  | WordsTarget
  | StageTarget

/**
 * A colour; `letters` is the class of letters on its tile, `lettersHex` their colour, `href` its anchor in the list of
 * colours, `base` the name of the colour that it is a tint of.
 */
export type ColorTarget = {
  kind: 'color'
  color: Color
  letters: string
  lettersHex: string
  href: string
  base?: string
}

/** All colours, or a group of them: the first colours, the total count, and the stage of each group. */
export type PaletteTarget = {
  kind: 'palette'
  colors: readonly ColorTarget[]
  count: number
  stages?: readonly { name: string; href: string }[]
}

/** A type style, or the first type styles of all; each has a class in the guide's style sheet. */
type TypeTarget = { kind: 'type'; styles: readonly TypeSample[] }

/** A type style: its class, its address in the list, its family and values, and a note if the guide lacks its font. */
export type TypeSample = {
  name: string
  className: string
  href: string
  family?: { name: string; href: string }
  facts: Word
  note?: Word | undefined
  sample: Word
  /** On a page of type: the label of the sample, which can be edited, and its CSS to copy. */
  editor?: { label: Word; css: Element | false } | undefined
}

/** A file to download, with a line of facts: `SVG, 240 × 80, 3.1 KB`. */
export type FileTarget = {
  kind: 'file'
  title?: string | undefined
  type: string
  facts: string
  /** The page of the file; undefined if the library does not list it. */
  page?: string | undefined
  /** Whether it may no longer be used, so that nothing downloads it. */
  isOver?: boolean
  /** When the right to use it ends, or that it has ended. */
  rights?: string | undefined
  preview?: Preview | undefined
  /** The media that plays it, if browsers can. */
  media?: Media | undefined
}

/** The media that plays a file: the addresses of the video, audio or moving drawing, of its poster and of its captions. */
export type Media = {
  kind: 'audio' | 'video' | 'drawing'
  src: string
  /** The size in pixels of a film, so that nothing moves when it loads. */
  size?: { width: number; height: number } | undefined
  /** A picture of the same name. */
  poster?: { src: string; width: number; height: number }
  captions?: { src: string; lang: string }
  /** Whether the file is a Lottie animation, which something else plays. */
  isLottie?: boolean
}

/** A folder to download as one archive. */
export type FolderTarget = { kind: 'folder'; facts: string; pictures: readonly Preview[] }

/** A page: the picture or film of its cover, the colour behind its title, and whether it has a cover at all. */
export type PageTarget = {
  kind: 'page'
  description?: string | undefined
  cover?: Preview | undefined
  ground?: StyleId | undefined
  isCovered: boolean
}

/**
 * The list of words with the id of its table; a row has the page that explains it. `isHere`: whether links of other
 * pages go to this one, which therefore shows the list.
 */
export type WordsTarget = {
  kind: 'words'
  id: string
  isHere: boolean
  rows: readonly (Omit<BrandWord, 'page'> & { page?: { name: string; href: string } })[]
}

/** The stage of a picture, a palette or a family, as a link alone in a paragraph shows it, and its own page. */
export type StageTarget = { kind: 'stage'; view: Element; href: string }

/**
 * The face of a card: a picture, letters of a font (`face` is its class), the first frame of a film, colours as stripes,
 * or a sign. `ground` is the class of a picture's ground after `ground-`. A picture that fills the card is cropped. The
 * poster of a film, and its first frame, have the sign of one.
 */
export type Preview =
  | {
      src: string
      srcset?: string
      width: number
      height: number
      alt: string
      ground?: string | undefined
      isFilling?: boolean
      isFilm?: boolean
    }
  | { face: string; letters: string }
  | { film: string }
  | { stripes: readonly string[] }
  | { sign: 'film' | 'sound' }
