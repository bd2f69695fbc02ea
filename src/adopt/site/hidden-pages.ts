import { basename, dirname } from 'node:path/posix'
import { globTokens, isCovered } from '#brand/glob.ts'
import { groupsOf } from '#platform/base/text.ts'
import type { Document } from '../document.ts'
import type { Reason, Report } from '../report/report.ts'
import { outsideReason } from '../sources/facts.ts'
import { isReadme, withoutExtension } from '../sources/leave-out.ts'
import { renditionOf, shownPath } from '../sources/source.ts'
import { addressKey } from './copies.ts'
import { judgeReadmes } from './readme.ts'

/** What is known beside the pages: the day, whether hidden pages are wanted, and the paths of all files in the report. */
export type Publishing = { today: string; withHidden: boolean; kept: ReadonlySet<string> }

/** Why a page is no page of the guide; `isHidden` if readers of the site do not see it either. */
type Off = Reason & { isHidden?: boolean }
type Judge = (page: Document) => Off | undefined

/** Separates the pages that readers of the site see from the others. */
export function publishedPages(
  pages: readonly Document[],
  { today, withHidden, kept }: Publishing,
): { published: Document[]; leftOut: Report['leftOut'] } {
  const draftOf = (page: Document) => hiddenReason(page, today)
  const hiding: readonly Judge[] = [draftOf, cascadeOf(pages), oldBuildsOf(pages, draftOf)]
  const hidden: readonly Judge[] = hiding.map(judge => page => asHidden(judge(page)))
  const judges: readonly Judge[] = [ownReason, ...(withHidden ? [] : hidden), emptyReason]
  const written = divide(pages, page => judges.map(judge => judge(page)).find(off => off !== undefined))
  const titles = pages.flatMap(({ off, head }) => (off === undefined ? [] : (head?.title ?? [])))
  const { reasons, winners, texts } = judgeReadmes(written.published, isHome, { kept, titles })
  const { published, leftOut } = divide(written.published, page => reasons.get(page))
  return {
    published: published.map(page => {
      const isHome = winners.has(page) || isFirstListed(page)
      return { ...page, ...texts.get(page), isHome }
    }),
    leftOut: [...written.leftOut, ...leftOut],
  }
}

function divide(pages: readonly Document[], judge: Judge) {
  const published: Document[] = []
  const leftOut: Report['leftOut'] = []
  for (const page of pages) {
    const off = judge(page)
    if (off === undefined) published.push(page)
    else leftOut.push({ path: shownPath(page.entry), ...off })
  }
  return { published, leftOut }
}

function asHidden(off: Reason | undefined): Off | undefined {
  return off && { ...off, isHidden: true }
}

/** A reason that its converter or its generator gives. */
function ownReason({ entry: { path }, facts: { generator }, off = generator.unread }: Document): Off | undefined {
  const parts = generator.parts.filter(([names]) => names.has(basename(path))).map(([, reason]) => reason)
  const [reason = ''] = [off, ...parts].filter(Boolean)
  return reason === '' ? undefined : { reason }
}

function emptyReason({ text, meta, notes }: Document): Off | undefined {
  if (text.trim() !== '') return undefined
  if (meta.isRedirect) return { reason: 'a redirect' }
  return meta.title === undefined && notes.lost.length === 0 ? { reason: 'an empty page' } : undefined
}

function hiddenReason({ meta, facts, entry: { path } }: Document, today: string): Reason | undefined {
  const [, day = ''] = isInFolder(path, facts.generator.dated) ? groupsOf(DAY, basename(path)) : []
  if (isInFolder(path, '_drafts')) return { reason: 'a draft: it is in _drafts' }
  if (day > today) return { reason: 'a draft: its date is later', detail: day }
  if (meta.draft) return { reason: 'a draft', detail: meta.draft }
  // A site of listed pages has no README but one of these.
  return isReadme(path) && !facts.generator.isListed ? undefined : outsideReason(path, facts)
}

/** The day before a name, as in `2026-11-29-logo`. */
const DAY = /^(\d{4}-\d\d-\d\d)-/

function isInFolder(path: string, name: string): boolean {
  return dirname(path).split('/').includes(name)
}

/** What hides the page of the source that a page in a build was made of, before that was hidden. */
function oldBuildsOf(pages: readonly Document[], draftOf: Judge): Judge {
  const isBuilt = ({ entry }: Document) => renditionOf(entry).kind === 'build'
  const written = pages.filter(page => !isBuilt(page))
  const drafts = new Map(written.map(page => [addressKey(page), draftOf(page)]))
  return page => (isBuilt(page) ? drafts.get(addressKey(page)) : undefined)
}

/** What a page says about those below it. */
function cascadeOf(pages: readonly Document[]): (page: Document) => Reason | undefined {
  const all = pages.flatMap(({ entry, meta: { cascades = [] } }) =>
    cascades.map(({ glob = '/**', why }) => ({
      folder: shownPath(entry).slice(0, -basename(entry.path).length),
      tokens: globTokens(glob.split('/').filter(Boolean).join('/')),
      why: { reason: 'a draft: a page above says so', detail: `${why} in ${entry.path}` },
    })),
  )
  return ({ entry, place }) =>
    all.find(({ folder, tokens }) => {
      const isBelow = shownPath(entry).startsWith(folder)
      return isBelow && isCovered(withoutExtension(place), tokens, { isFolder: true })
    })?.why
}

/** Whether a page is the first one of a site that has only those that its table of contents lists. */
function isFirstListed({ entry: { path }, facts: { generator, order } }: Document): boolean {
  return generator.isListed && order.get(path) === 1
}

/** Whether a page is at the root of its site. */
export function isHome({ place, meta, facts: { generator } }: Document): boolean {
  const name = basename(withoutExtension(place))
  return (generator.index.has(name.toLowerCase()) && !place.includes('/')) || meta.aliases.includes('/')
}
