import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { refusalReply, refuse } from '../contract/refusals.ts'
import { type Reply, type Request, requestHeader } from '../exchange/message.ts'
import { PAGE_TYPE } from './document.ts'
import { guidePage } from './frame.ts'
import type { Guide } from './guide.ts'
import { html } from './html.ts'
import { type SearchIndex, searchIndex } from './search-index.ts'
import { type Results, searchResults } from './search-results.ts'
import { resultsPart } from './search-view.ts'
import { takeTurns } from './turns.ts'

/** Answers a request to search a guide; `key` names the guide as it is now. */
export type Search = (guide: Guide, key: string, request: Request) => Promise<Reply>

/**
 * Opens the search of all guides: a page for people, and JSON for what is typed. The index of a guide is made when it is
 * first searched. One search is made at a time, and everything else is answered between two; where too many wait, 503.
 */
export function openSearch(publicUrl: string): Search {
  const indexOf = keepIndexes()
  const frameOf = keepFrames()
  const inTurn = takeTurns(MOST_WAITING)
  return async (guide, key, request) => {
    const text = searchText(request.query)
    const isJson = /\bapplication\/json\b/i.test(requestHeader(request.headers, 'accept') ?? '')
    const most = isJson ? MOST_TYPING : MOST_RESULTS
    const search = async (index: SearchIndex) => inTurn(() => searchResults(guide, index, text, most))
    const results = text === '' ? NOTHING : await search(await indexOf(guide))
    if (!results) return refusalReply(refuse('unavailable', ['Retry-After', '1']), publicUrl)
    if (isJson) return reply(['Content-Type', 'application/json'], JSON.stringify(results))
    const frame = await frameOf(guide, key)
    return reply(PAGE_TYPE, frame(text === '' ? 'Search' : `“${text}”`, resultsPart(guide, text, results).text))
  }
}

const MOST_WAITING = 64
const MOST_TYPING = 8
const MOST_RESULTS = 50
const NOTHING: Results = { count: 0, hasAll: true, results: [] }

/** What is looked for: `q`, at most 200 characters, no control characters. */
function searchText(query: string): string {
  const text = new URLSearchParams(query).get('q') ?? ''
  return text
    .slice(0, LONGEST_TEXT)
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
}

const LONGEST_TEXT = 200

/** Bytes; an index counts as no more than half of it, so that each can be kept. */
const MOST_INDEX_BYTES = 256 << 20

/** Keeps the indexes that were used last; they are made one at a time, each once, and again after a failure. */
function keepIndexes(): (guide: Guide) => Promise<SearchIndex> {
  let last: Promise<unknown> = Promise.resolve()
  const make = (guide: Guide): Promise<SearchIndex> => {
    const made = last.then(() => searchIndex(guide.publication.content))
    last = made.catch(() => undefined)
    return made
  }
  const indexes = new LRUCache<string, { made: Promise<SearchIndex> }>({ maxSize: MOST_INDEX_BYTES })
  return guide => {
    const { record, published } = guide.publication
    const key = `${record.workspace}/${published.snapshot}`
    const known = indexes.get(key)
    if (known) return known.made
    const entry = { made: make(guide) }
    indexes.set(key, entry, { size: 1 })
    entry.made.then(
      ({ size }) =>
        indexes.peek(key) === entry && indexes.set(key, entry, { size: Math.min(size, MOST_INDEX_BYTES / 2) }),
      () => indexes.delete(key),
    )
    return entry.made
  }
}

type Frame = (title: string, main: string) => string

/** Keeps what stands around results: navigation of a large guide takes longer to make than the search. */
function keepFrames(): (guide: Guide, key: string) => Promise<Frame> {
  const frames = new LRUCache<string, Frame>({ max: 50 })
  return async (guide, key) => {
    const known = frames.get(key)
    if (known) return known
    const [title, main] = [randomUUID(), randomUUID()]
    const { bytes } = await guidePage(guide, { title, below: '/-/search', main: html`${main}` })
    const parts = new TextDecoder().decode(bytes).split(main)
    const frame: Frame = (name, results) =>
      parts.map(part => part.replaceAll(title, () => html`${name}`.text)).join(results)
    frames.set(key, frame)
    return frame
  }
}

/** What people look for is theirs: no cache keeps it, and no search engine lists it. */
function reply(type: readonly string[], body: string): Reply {
  const caching = ['Cache-Control', 'no-store', 'Vary', 'Accept', 'X-Robots-Tag', 'noindex']
  const headers = [...type, 'X-Content-Type-Options', 'nosniff', ...caching]
  return { status: 200, headers, body: new TextEncoder().encode(body) }
}
