import { type Html, html } from '../html.ts'
import type { Words } from '../words/words.ts'

/** The maximum number of entries of a list on a page. */
export const MAX_ENTRIES = 1000

/** The end of a list with more entries than its page shows: their number, and the link to a file with all of them. */
export function listEnd({ lists }: Words, count: number, link: string): Html | undefined {
  return count > MAX_ENTRIES
    ? html`<p class="quiet">${lists.firstOf({ first: MAX_ENTRIES, count, link })}</p>\n`
    : undefined
}
