import { type Html, html } from '../html.ts'

/** A part of a list that is too long for one page; pages are counted from 1. */
export type ListPage<Entry> = { entries: readonly Entry[]; number: number; count: number }

/** What of a list stands on a page; undefined beyond its last one. A list of nothing has one page. */
export function listPage<Entry>(list: readonly Entry[], number: number, most: number): ListPage<Entry> | undefined {
  const count = Math.max(1, Math.ceil(list.length / most))
  return number > count ? undefined : { entries: list.slice((number - 1) * most, number * most), number, count }
}

/** The page on which an entry of a list stands. */
export function pageWith(at: number, most: number): number {
  return Math.floor(at / most) + 1
}

/** What follows the address of a list for one of its pages: nothing for the first, which has no other address. */
export function pageQuery(number: number): string {
  return number > 1 ? `?page=${number}` : ''
}

/** The page that a query asks for; undefined where it names none that could be. */
export function askedPage(query: string): number | undefined {
  const text = new URLSearchParams(query).get('page') ?? '1'
  return /^[1-9]\d{0,6}$/.test(text) ? Number(text) : undefined
}

/** What follows the title of a list on its further pages. */
export function pageTitle({ number }: { number: number }): string {
  return number > 1 ? `, page ${number}` : ''
}

/** Links from a page of a list to the others: to those beside it, the first and the last. */
export function pageLinks(path: string, { number, count }: { number: number; count: number }): Html | undefined {
  if (count < 2) return undefined
  const link = (to: number, rel: string, word: string): Html | undefined =>
    to < 1 || to > count
      ? undefined
      : html`<a rel="${rel}" href="${path}${pageQuery(to)}"><span class="quiet">${word}</span> Page ${to}</a>`
  const ends = [...new Set([1, count])].filter(to => Math.abs(to - number) > 1)
  const further = ends.map(to => html` <a href="${path}${pageQuery(to)}">${to === 1 ? 'First' : 'Last'} page</a>`)
  return html`<nav class="neighbours" aria-label="Pages of the list">${link(number - 1, 'prev', 'Previous')}${link(number + 1, 'next', 'Next')}
<p class="quiet">Page ${number} of ${count}.${further}</p></nav>`
}
