import type { Highlighted } from '../../search/marked-text.ts'
import { type Guide, pathBelow } from '../guide/guide.ts'
import { type Html, html } from '../html.ts'
import type { UseFilter } from '../library/files/use-filter.ts'
import type { SearchResult, SearchResults } from './search-results.ts'

/** The text and the filter of a search, and what they found. */
export type Searched = { text: string; filter?: UseFilter | undefined; found: SearchResults }

/** The content of the search page: a form, with fields for the filter if files have uses, and the results. */
export function resultsPart(guide: Guide, searched: Searched, fields?: Html): Html {
  const { text, filter } = searched
  const { search } = guide.words
  return html`<article class="search">
<h1>${search.search}</h1>
<form role="search" aria-label="${search.again}" action="${pathBelow(guide, 'search')}">
<label for="q">${search.hint}</label>
<input type="search" id="q" name="q" value="${text}" maxlength="200" autocomplete="off">
<button>${search.search}</button>
${
  fields &&
  html`<fieldset class="uses"><legend>${guide.words.files.uses.title}</legend>
${fields}</fieldset>
`
}</form>
${
  guide.copy &&
  html`<noscript><p role="status">${search.needsScript({ link: pathBelow(guide, 'pages') })}</p></noscript>
<template><p>${search.tryOther({ link: pathBelow(guide, 'pages') })}</p></template>`
}
${(text !== '' || filter) && resultList(guide, searched)}
</article>`
}

function resultList(guide: Guide, { text, found: { count, hasAll, results } }: Searched): Html {
  const { search } = guide.words
  if (count === 0)
    return html`<p role="status">${text === '' ? guide.words.files.uses.none : search.noneFor({ text })}</p>
<p>${search.tryOther({ link: pathBelow(guide, 'pages') })}</p>`
  const named =
    count > results.length ? search.best({ first: results.length, count, text }) : search.found({ count, text })
  const found = text === '' ? search.count({ count }) : named
  return html`<p role="status">${found}${!hasAll && ` ${search.someWords}`}</p>
<ol class="results">
${results.map(item)}</ol>`
}

function item({ path, title, where, text, hex }: SearchResult): Html {
  return html`<li>${hex !== undefined && swatch(hex)}<div><a href="${path}">${highlighted(title)}</a>
<p class="quiet">${where}</p>
<p>${highlighted(text)}</p></div></li>
`
}

function swatch(hex: string): Html {
  return html`<svg aria-hidden="true"><rect width="100%" height="100%" fill="${hex}"/></svg>`
}

function highlighted(text: Highlighted): (Html | string)[] {
  return text.map((piece, at) => (at % 2 === 1 ? html`<mark>${piece}</mark>` : piece))
}
