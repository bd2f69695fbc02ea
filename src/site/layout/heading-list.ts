import { type Html, html } from '../html.ts'
import type { Heading } from '../markdown/page-headings.ts'

/** Links to the headings of a page, where it is long enough to have several. */
export function headingList(headings: readonly Heading[]): Html | undefined {
  const listed = headings.filter(({ level }) => level === 2 || level === 3)
  if (listed.length < 2) return undefined
  return html`<nav class="toc" aria-labelledby="OnThisPage">
<p class="quiet" id="OnThisPage">On this page</p>
<ul>
${listed.map(({ id, level, text }) => html`<li class="level-${level}"><a href="#${id}">${text}</a></li>\n`)}</ul>
</nav>`
}
