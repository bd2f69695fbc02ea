import type { Hash, PageId, StyleId } from './ids.ts'

/** A page of a project without its Markdown, which the store has under its hash. */
export type Page = {
  id: PageId
  name: string
  description?: string
  /** SHA-256 of the content as UTF-8: the Markdown as written, with LF as line end. */
  content: Hash
  /** The relative links with a target in the project, by position. */
  links: readonly Link[]
} & PageNotes

/** Page data that only the website uses; the API omits it. */
type PageNotes = {
  cover?: Cover
  /** The colour behind its title. */
  ground?: StyleId
  /** The colours of its bands. */
  bands?: readonly StyleId[]
  /** Whether the page uses the whole width. */
  wide?: boolean
  /** A short name for navigation; false if only search and links lead to the page. */
  nav?: string | false
  /** Earlier ids of the page, which redirect to it permanently. */
  aliases?: readonly string[]
  /** Whether it is a draft, which only a preview has. */
  draft?: boolean
}

/** The fields of a page and who gets them, in the order of snapshot entries. */
export const PAGE_FIELDS: Readonly<Record<keyof Page, 'API' | 'website'>> = {
  id: 'API',
  name: 'API',
  description: 'website',
  content: 'API',
  links: 'API',
  cover: 'website',
  ground: 'website',
  wide: 'website',
  nav: 'website',
  aliases: 'website',
  bands: 'website',
  draft: 'website',
}

/** The background of a page's title and of its card: the path of a picture or video in the project, or a colour. */
export type Cover = ({ file: string; color?: never } | { color: StyleId; file?: never }) & {
  /** The point that stays visible if the picture is cropped, as percentages across and down. */
  focus?: readonly [across: number, down: number]
  fit?: (typeof COVER_FITS)[number]
  /** Whether the letters of the title are light or dark. */
  text?: (typeof COVER_TEXTS)[number]
}

/** A picture is shown whole next to the title, fills the space there, or fills the header behind the title. */
export const COVER_FITS = ['whole', 'fill', 'behind'] as const
export const COVER_TEXTS = ['auto', 'light', 'dark'] as const

/** A relative link in the content of a page, and its target. */
export type Link = {
  /**
   * The start and end of the text that an address replaces, in UTF-16 code units: the path in the link destination,
   * without query and fragment; for a list of styles or words, including the fragment.
   */
  start: number
  end: number
  to: Target
}

/**
 * The target of a relative link: a page; the path in the project of a file, or of a folder below `files`; a list of
 * styles, one of its styles, or the slug of a colour group; or the list of words.
 */
export type Target =
  | { page: PageId; file?: never; list?: never; folder?: never; words?: never }
  | { file: string; page?: never; list?: never; folder?: never; words?: never }
  | { folder: string; page?: never; file?: never; list?: never; words?: never }
  | { words: true; page?: never; file?: never; list?: never; folder?: never }
  | (StyleTarget & { page?: never; file?: never; folder?: never; words?: never })

/** A list of styles, one of its styles, or the slug of a colour group. */
export type StyleTarget = { list: 'colors' | 'types'; id?: StyleId; group?: string }

/** The query of a link to a picture, colours or type that shows them large, with their rules. */
export const STAGE = 'stage'

/** The id of a project's home page. */
export const HOME_PAGE = 'index'

/** Sorts pages: those that project.yaml lists, in its order; the home page; pages with an `order`; the rest by id. */
export function inReadingOrder<Entry extends { id: PageId; order?: number }>(
  pages: readonly Entry[],
  listed: readonly PageId[],
): Entry[] {
  const places = new Map(listed.map((id, at) => [id, at]))
  const key = (page: Entry): readonly number[] => [
    places.get(page.id) ?? Number.POSITIVE_INFINITY,
    page.id === HOME_PAGE ? 0 : 1,
    page.order ?? Number.POSITIVE_INFINITY,
  ]
  return pages
    .map(page => ({ page, key: key(page) }))
    .sort((a, b) => compareKeys(a.key, b.key) || (a.page.id < b.page.id ? -1 : 1))
    .map(({ page }) => page)
}

/** Compares two lists by their first numbers that differ. */
export function compareKeys(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index])
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0)
}
