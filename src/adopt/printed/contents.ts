import type { OutlineEntry } from '#formats/pdf/document.ts'
import { groupsOf, lettersOf } from '#platform/base/text.ts'
import { heaviest } from './lines.ts'
import { headingsIn, type Read, textsIn } from './page-html.ts'

/**
 * A table of contents: its page, the titles of the pages that it names, and its other lines. `isNumbered` if it has their
 * numbers, so that it names each place where something begins.
 */
export type Contents = {
  page: Read
  titles: ReadonlyMap<number, string>
  others: readonly string[]
  isNumbered: boolean
}

/** Finds tables of contents: pages near the beginning of a document that mostly have the titles of later pages. */
export function contentsOf(pages: readonly Read[], outline: readonly OutlineEntry[]): Contents[] {
  const headings = pages.flatMap(({ number, parts }) =>
    headingsIn(parts).map(({ text }) => ({ title: text, page: number })),
  )
  const byTitle = Map.groupBy([...outline, ...headings], ({ title }) => lettersOf(title))
  return pages.slice(0, MAX_FRONT).flatMap(page => {
    const pageOf = (title: string) => byTitle.get(lettersOf(title))?.find(each => each.page > page.number)?.page
    const lines = textsIn(page.parts).flatMap(text => text.lines.map(line => line.text))
    const rows = lines.flatMap(text => {
      const [, title = '', label = ''] = groupsOf(ROW, text)
      return title === '' ? [] : [{ title, label: Number.parseInt(label, 10), page: pageOf(title) }]
    })
    const placed = rows.filter(row => row.page !== undefined)
    // Numbers may begin after a cover. Those of titles that no page has are counted alike.
    const offsets = placed.map(({ label, page: at = 0 }) => at - label).filter(offset => offset >= 0)
    const [[before = NaN] = []] = heaviest(offsets.map(offset => [offset, 1]))
    const pageIn = ({ label, page: at }: (typeof rows)[number]) => at ?? label + before
    const titles = new Map(rows.filter(row => pageIn(row) > page.number).map(row => [pageIn(row), row.title]))
    const others = rows.filter(row => !titles.has(pageIn(row))).map(({ title }) => title)
    const isNumbered = lines.filter(text => /\d$/.test(text)).length >= placed.length
    const isContents = new Set(placed.map(row => row.page)).size > 2 && placed.length > rows.length / 2
    return isContents ? [{ page, titles, others, isNumbered }] : []
  })
}

/** In pages. */
const MAX_FRONT = 10
/** The title in a row, and the number of its page. */
const ROW = /^[\d.\s]*(?![\d.\s])(.*[^\s.·…_\d])[\s.·…_]*(\d{0,3})$/
