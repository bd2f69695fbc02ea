import { valuesAt } from '#platform/base/object.ts'
import type { Document } from '../document.ts'
import type { Report } from '../report/report.ts'
import { isReadme } from '../sources/leave-out.ts'
import { pageKey } from '../sources/order.ts'
import { type Entry, renditionOf, shownPath } from '../sources/source.ts'
import { withoutAddresses, wordsOf } from './readme.ts'

/** Pages without those that others repeat, each of these with the page that has its text, and pages that no reader saw. */
export type Distinct = { pages: Document[]; copies: Map<Entry, Entry>; leftOut: Report['leftOut'] }

/**
 * Leaves one of a page in the source and the same page as readers saw it: that of the source if the other is in its build,
 * but that of a website. A page that only its build has is taken from there. What a website does not have is hidden. Of
 * the same text in HTML and in Markdown, the Markdown stays.
 */
export function withoutCopies(all: readonly Document[], withHidden: boolean): Distinct {
  const twins = twinsIn(all.filter(page => kindOf(page) === 'written'))
  const pages = all.filter(({ entry }) => !twins.has(entry))
  const { build: built = [], site = [], written = [] } = Object.groupBy(pages, kindOf)
  const hasSite = site.length > 0
  const [originals, others] = hasSite ? [site, [...written, ...built]] : [written, built]
  const copies = copiesIn(others, originals)
  const labels = new Set(Array.from(hasSite && !withHidden ? copies.keys() : [], ({ label }) => label))
  const rest = others.filter(({ entry }) => !copies.has(entry))
  const { unseen = [], seen = [] } = Object.groupBy(rest, ({ entry }) => (labels.has(entry.label) ? 'unseen' : 'seen'))
  const reason = 'not published: the website does not have it'
  const leftOut = unseen.map(({ entry }) => ({ path: shownPath(entry), reason, isHidden: true }))
  return {
    pages: [...originals, ...seen.map(page => told(page, written))],
    copies: new Map([...twins, ...copies]),
    leftOut,
  }
}

function kindOf({ entry }: Document) {
  return renditionOf(entry).kind
}

/** Pages in HTML that have nearly only the text of one in Markdown, with the entries of both. */
function twinsIn(pages: readonly Document[]): Map<Entry, Entry> {
  const [html, written] = [pages.filter(({ head }) => head), pages.filter(({ head }) => !head)]
  const owners = phraseOwners(
    written.filter(({ entry }) => !isReadme(entry.path)),
    html,
  )
  const twins = new Map<Entry, Entry>()
  for (const { entry, text } of html) {
    const phrases = phrasesOf(text)
    for (const [owner, { length }] of Map.groupBy(phrases, phrase => owners.get(phrase)))
      if (owner && length >= phrases.length * MIN_SHARE) twins.set(entry, owner)
  }
  return twins
}

/** The page that has a phrase, of those phrases that other pages have too. */
function phraseOwners(pages: readonly Document[], others: readonly Document[]): Map<string, Entry> {
  const wanted = new Set(others.flatMap(({ text }) => phrasesOf(text)))
  const owners = new Map<string, Entry>()
  for (const { entry, text } of pages)
    for (const phrase of phrasesOf(text).filter(phrase => wanted.has(phrase))) owners.set(phrase, entry)
  return owners
}

/** Those of pages that have the address of another one, or nearly only its text, with the entries of both. */
function copiesIn(pages: readonly Document[], others: readonly Document[]): Map<Entry, Entry> {
  const byKey = new Map(others.map(page => [addressKey(page), page.entry]))
  const byPhrase = phraseOwners(others, pages)
  const copies = new Map<Entry, Entry>()
  for (const source of pages) {
    const phrases = phrasesOf(source.text)
    const owners = valuesAt(byPhrase, phrases)
    const least = phrases.length - owners.length < MIN_OWN ? MIN_SHARE_OF_SHORT : MIN_SHARE
    const isRepeated = owners.length >= phrases.length * least
    const original = byKey.get(addressKey(source)) ?? (isRepeated ? owners.at(owners.length / 2) : undefined)
    if (original) copies.set(source.entry, original)
  }
  return copies
}

/** Of the phrases of a page, and of one with few of its own, such as a list of links to other pages. */
const [MIN_SHARE, MIN_SHARE_OF_SHORT] = [0.7, 0.5]
const MIN_OWN = 10

/** The same for all ways of writing the address of a page. */
export function addressKey({ place }: Document): string {
  return pageKey(`/${place}`)
}

/** Each three words after each other. */
function phrasesOf(text: string): string[] {
  const words = wordsOf(withoutAddresses(text))
  return words.map((_, at) => words.slice(at, at + 3).join(' '))
}

/** A page; one of a build says so, and when that is older than the pages of its source. */
function told(source: Document, written: readonly Document[]): Document {
  const { entry } = source
  if (kindOf(source) === 'written') return source
  const isOlder = written.some(other => Number(entry.modified) + DAY_MS < Number(other.entry.modified))
  const age = isOlder ? `, of ${entry.modified?.toISOString().slice(0, 10)}, which is older than its source` : ''
  return withGuess(source, `the source has it only as a template or program: it is from the build${age}`)
}

/** A page with the reason why it is one in the report. */
export function withGuess(source: Document, why: string): Document {
  const { entry, meta, notes } = source
  const row = { path: shownPath(entry), key: 'page', value: meta.title ?? source.place, why }
  return { ...source, notes: { ...notes, guessed: [...notes.guessed, row] } }
}

const DAY_MS = 86_400_000
