import { type Guide, pathBelow } from '../guide/guide.ts'
import { type Html, html } from '../html.ts'
import type { Marked } from './marked-text.ts'
import type { SearchResult, SearchResults } from './search-results.ts'

/** What the page of a search shows: a form, and what was found. */
export function resultsPart(guide: Guide, text: string, found: SearchResults): Html {
  return html`<article class="search">
<h1>Search</h1>
<form role="search" aria-label="Search again" action="${pathBelow(guide, 'search')}">
<label for="q">Words, a colour value, or part of a file name</label>
<input type="search" id="q" name="q" value="${text}" maxlength="200" autocomplete="off">
<button>Search</button>
</form>
${text !== '' && outcome(guide, text, found)}
</article>`
}

function outcome(guide: Guide, text: string, { count, hasAll, results }: SearchResults): Html {
  if (count === 0)
    return html`<p role="status">Nothing here has “${text}”.</p>
<p>Try fewer or other words, or look through <a href="${pathBelow(guide, 'pages')}">all pages</a>.</p>`
  const found = count === 1 ? 'One result' : `${count} results`
  return html`<p role="status">${count > results.length ? `The best ${results.length} of ${count} results` : found} for “${text}”.${
    hasAll ? undefined : ' None has all of the words; these have some.'
  }</p>
<ol class="results">
${results.map(item)}</ol>`
}

function item({ path, title, where, text, hex }: SearchResult): Html {
  return html`<li>${hex !== undefined && swatch(hex)}<div><a href="${path}">${pieces(title)}</a>
<p class="quiet">${where}</p>
<p>${pieces(text)}</p></div></li>
`
}

function swatch(hex: string): Html {
  return html`<svg aria-hidden="true"><rect width="100%" height="100%" fill="${hex}"/></svg>`
}

function pieces(text: Marked): (Html | string)[] {
  return text.map((piece, at) => (at % 2 === 1 ? html`<mark>${piece}</mark>` : piece))
}
