import { type Html, html, type Word } from '../html.ts'
import type { Words } from '../words/words.ts'

/** A heading of a page, with the id that links to it use. */
export type ListedHeading = { level: number; id: string; text: Word }

/** Links to the headings of a page, if it has several. */
export function headingList(words: Words, headings: readonly ListedHeading[]): Html | undefined {
  const listed = headings.filter(({ level }) => level === 2 || level === 3)
  if (listed.length < 2) return undefined
  const links = listed.map(
    ({ id, level, text }) => html`<li class="level-${level}"><a href="#${id}">${text}</a></li>\n`,
  )
  return html`<nav class="toc" aria-labelledby="OnThisPage">
<p class="quiet" id="OnThisPage">${words.frame.onThisPage}</p>
<ul>
${links}</ul>
</nav>`
}
