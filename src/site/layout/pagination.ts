import { type Html, html, type Word } from '../html.ts'
import type { Words } from '../words/words.ts'

/** A part of a list that is too long for one page; pages are counted from 1. */
export type ListPage<Entry> = ListPlace & { entries: readonly Entry[] }

/** A page number and the number of pages. */
type ListPlace = { number: number; count: number }

/** The entries of a list on one of its pages; undefined beyond the last one. An empty list has one page. */
export function listPage<Entry>(list: readonly Entry[], number: number, size: number): ListPage<Entry> | undefined {
  const place = listPlace(list.length, number, size)
  return place && { entries: list.slice((number - 1) * size, number * size), ...place }
}

/** The place of a page in a list of `total` entries; undefined beyond the last page. */
export function listPlace(total: number, number: number, size: number): ListPlace | undefined {
  const count = Math.max(1, Math.ceil(total / size))
  return number > count ? undefined : { number, count }
}

/** The number of the page that shows the entry at an index. */
export function pageWith(index: number, size: number): number {
  return Math.floor(index / size) + 1
}

/** The query of a page of a list; empty for the first, which has the address of the list. */
export function pageQuery(number: number): string {
  return number > 1 ? `?page=${number}` : ''
}

/** The page number of a query; undefined if invalid. */
export function requestedPage(query: string): number | undefined {
  const text = new URLSearchParams(query).get('page') ?? '1'
  return /^[1-9]\d{0,6}$/.test(text) ? Number(text) : undefined
}

/** The title of a page of a list, with its number after the first page. */
export function pageTitle({ lists }: Words, title: Word, { number }: { number: number }): string {
  return `${number > 1 ? lists.title({ title: `${title}`, page: number }) : title}`
}

/** Links from a page of a list to the previous and the next, the first and the last. */
export function pageLinks({ lists }: Words, path: string, { number, count }: ListPlace): Html | undefined {
  if (count < 2) return undefined
  const link = (to: number, rel: string, word: Word): Html | undefined =>
    to < 1 || to > count
      ? undefined
      : html`<a rel="${rel}" href="${path}${pageQuery(to)}"><span class="quiet">${word}</span> ${lists.page({ page: to })}</a>`
  const ends = [...new Set([1, count])].filter(to => Math.abs(to - number) > 1)
  const further = ends.map(to => html` <a href="${path}${pageQuery(to)}">${to === 1 ? lists.first : lists.last}</a>`)
  return html`<nav class="neighbours" aria-label="${lists.pages}">${link(number - 1, 'prev', lists.previous)}${link(number + 1, 'next', lists.next)}
<p class="quiet">${lists.pageOf({ page: number, pages: count })}${further}</p></nav>`
}
