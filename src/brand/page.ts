import type { Hash, PageId } from './ids.ts'

/** A page of a project without its text, which the store has under its hash. */
export type Page = {
  id: PageId
  name: string
  description?: string
  /** SHA-256 of the content as UTF-8: the Markdown as written, with LF as line end. */
  content: Hash
  /** The relative links that lead to something in the project, by position. */
  links: readonly Link[]
}

/** A relative link in the content of a page, and what it leads to. */
export type Link = {
  /** The start and end of the path in its destination, without query and fragment, in UTF-16 code units. */
  start: number
  end: number
  to: Target
}

/** What a relative link leads to: a page, or a file by its path in the project. */
export type Target = { page: PageId; file?: never } | { file: string; page?: never }

/** The id of a project's home page. */
export const HOME_PAGE = 'index'

/**
 * Sorts pages into reading order: first those that project.yaml lists, in its order, then the home page, then those
 * with an `order`, then the rest by id.
 */
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

function compareKeys(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index])
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0)
}
