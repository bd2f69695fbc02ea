import { setImmediate } from 'node:timers/promises'
import { refusalReply, refuse } from '#brand/contract/refusals.ts'
import { IndexUnavailable } from '#delivery/search/indexer.ts'
import type { Highlighted } from '#delivery/search/marked-text.ts'
import type { SearchIndex } from '#delivery/search/search-index.ts'
import { type MaybePromise, withTimeout } from '#platform/base/promise.ts'
import { fieldText } from '#platform/base/text.ts'
import { networkOf } from '#platform/exchange/ip-address.ts'
import { type Reply, type Request, withHeaders } from '#platform/exchange/message.ts'
import { libraryOf } from '#serving/publications/library.ts'
import { withDominantColors } from '../guide/dominant-colors.ts'
import { type Guide, isDraft, pathBelow } from '../guide/guide.ts'
import { type Html, html } from '../html.ts'
import { libraryHead } from '../layout/head.ts'
import { guidePage } from '../layout/layout.ts'
import { type UseFilter, useFields, useFilter } from '../library/files/use-filter.ts'
import { withFonts } from '../library/with-fonts.ts'
import { firstPages, pageCards } from '../pages/overview.ts'
import { isForPeople } from '../pages/standalone-page.ts'
import {
  filteredFiles,
  namedPages,
  type SearchResult,
  type SearchResults,
  searchResults,
  thumbPart,
} from './search-results.ts'

/**
 * Replies to a search of a guide: with a page for people, and JSON for the search field. The index of a guide is built on
 * its first search; if it is not ready in time, pages are found by their names. If none is, the reply is 503, for people
 * with a page. Searches run one at a time, with other requests in between.
 */
export async function searchReply(guide: Guide, request: Request, maxWaitMs = MAX_WAIT_MS): Promise<Reply> {
  const { site, publication } = guide
  const text = searchText(request.query)
  const filter = useFilter(request.query)
  const isJson = /\bapplication\/json\b/i.test(request.headers.accept ?? '')
  const index = text === '' ? undefined : await inTime(site.indexes(publication), maxWaitMs)
  const max = isJson ? MAX_TYPING : MAX_RESULTS
  return site.searchInTurn(async () => {
    await setImmediate() // Other requests are answered in between.
    if (typeof index === 'string') {
      // There is no index yet; this is the number of seconds after which to try again.
      const found = filter ? NOTHING : await namedPages(guide, text, max)
      if (found.count > 0 && isJson) return resultsJson(guide, found)
      if (isForPeople(request)) return preparingPage(guide, { text, found }, index)
      return refusalReply(refuse('unavailable', ['Retry-After', index]), site.service.access.publicUrl)
    }
    const inLibrary = filter ? filteredFiles(guide, max, filter) : NOTHING
    const found = await (index ? searchResults(guide, index, text, max, filter) : inLibrary)
    const isMissed = text !== '' && !filter && found.count === 0
    if (isMissed && request.method === 'GET' && !isDraft(guide))
      site.service.usage?.countMissed(publication.record, text, isJson, networkOf(request.address))
    return isJson ? resultsJson(guide, found) : page(guide, { text, filter, found })
  })
}

/** The wait for an index that is being built. */
const MAX_WAIT_MS = 5000

/** An index, undefined without one, or the seconds until it may be ready, as text for a header. */
async function inTime(
  made: MaybePromise<SearchIndex | undefined>,
  maxMs: number,
): Promise<SearchIndex | string | undefined> {
  try {
    return await withTimeout(maxMs, made, () => '5')
  } catch (error) {
    if (error instanceof IndexUnavailable) return '300'
    throw error
  }
}

/** The results for the search field while people type, and on the page. */
const MAX_TYPING = 8
const MAX_RESULTS = 50
const NOTHING: SearchResults = { count: 0, hasAll: true, results: [] }

/** The search text: `q`, at most 200 characters, without control characters. */
function searchText(query: string): string {
  const text = fieldText(new URLSearchParams(query), 'q')
  return text
    .slice(0, MAX_TEXT)
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
}

const MAX_TEXT = 200

/** The results for the search field, with a sentence about their number. */
function resultsJson({ words }: Guide, found: SearchResults): Reply {
  const { search } = words
  const { count, results } = found
  // For screen readers, and the label of the link to all results.
  const said = `${count === 0 ? search.none : search.count({ count })}`
  const all = count > results.length ? `${search.all({ count })}` : undefined
  return reply(['Content-Type', 'application/json'], JSON.stringify({ ...found, said, all }))
}

async function page(guide: Guide, { text, filter, found }: Searched): Promise<Reply> {
  const { search } = guide.words
  const title = `${text === '' ? search.search : search.title({ text })}`
  const fields = await useFields(guide, await libraryOf(guide.publication.content), filter)
  const begin = found.count === 0 && !filter ? await pageCards(guide, await firstPages(guide)) : undefined
  const main = resultsPart(guide, { text, filter, found, begin }, fields)
  return pageReply(guide, title, main)
}

/**
 * The page while the index is being built, with the pages that are found by name. Browsers search again after some seconds.
 */
async function preparingPage(guide: Guide, { text, found }: Searched, seconds: string): Promise<Reply> {
  const { search } = guide.words
  const link = `${pathBelow(guide, 'search')}?q=${encodeURIComponent(text)}`
  const main = html`<article class="search">
<p role="status">${search.preparing({ link })}</p>
${found.count > 0 && html`<ol class="results">\n${found.results.map(item)}</ol>\n`}</article>`
  const again = ['Refresh', seconds, 'Retry-After', seconds]
  const status = found.count > 0 ? 200 : 503
  return { ...withHeaders(await pageReply(guide, `${search.title({ text })}`, main), again), status }
}

async function pageReply(guide: Guide, title: string, main: Html): Promise<Reply> {
  const head = libraryHead(guide, guide.words.search.search)
  const page = await guidePage(guide, { title, kind: 'found', below: '/-/search', head, main })
  const { type, bytes } = await withFonts(guide, await withDominantColors([guide], page))
  return reply(type, bytes)
}

/** Searches are private: no cache keeps them, and no search engine lists them. */
function reply(type: readonly string[], body: string | Uint8Array): Reply {
  const caching = ['Cache-Control', 'no-store', 'Vary', 'Accept', 'X-Robots-Tag', 'noindex']
  const headers = [...type, 'X-Content-Type-Options', 'nosniff', ...caching]
  return { status: 200, headers, body: typeof body === 'string' ? new TextEncoder().encode(body) : body }
}

/** `begin` has the pages to begin with if nothing is searched or found. */
type Searched = { text: string; filter?: UseFilter | undefined; found: SearchResults; begin?: Html | undefined }

/** The content of the search page: a form, with fields for the filter if files have uses, and the results. */
function resultsPart(guide: Guide, searched: Searched, fields?: Html): Html {
  const { text, filter, begin } = searched
  const { search } = guide.words
  return html`<article class="search">
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
  guide.site.copy &&
  html`<noscript><p role="status">${search.needsScript({ link: pathBelow(guide, 'pages') })}</p></noscript>
<template><p>${search.tryOther({ link: pathBelow(guide, 'pages') })}</p>${begin}</template>`
}
${(text !== '' || filter) && resultList(guide, searched)}
</article>
${!guide.site.copy && begin}`
}

function resultList(guide: Guide, { text, found: { count, hasAll, results } }: Searched): Html {
  const { search } = guide.words
  if (count === 0)
    return html`<p role="status">${text === '' ? guide.words.files.uses.none : search.noneFor({ text })}</p>
<p>${search.tryOther({ link: pathBelow(guide, 'pages') })}</p>`
  const countWithText =
    count > results.length ? search.best({ first: results.length, count, text }) : search.found({ count, text })
  const countLine = text === '' ? search.count({ count }) : countWithText
  return html`<p role="status">${countLine}${!hasAll && ` ${search.someWords}`}</p>
<ol class="results">
${results.map(item)}</ol>`
}

function item({ path, title, where, text, ...thumb }: SearchResult): Html {
  const { hex } = thumb
  return html`<li>${thumbPart(thumb)}<div><a href="${path}">${highlight(title)}</a>
<p class="quiet">${where}</p>
<p><bdi${hex !== undefined && html` dir="ltr"`}>${highlight(text)}</bdi></p></div></li>
`
}

/** A text whose odd pieces are marked, as `Highlighted` has them. */
function highlight(text: Highlighted): (Html | string)[] {
  return text.map((piece, at) => (at % 2 === 1 ? html`<mark>${piece}</mark>` : piece))
}
