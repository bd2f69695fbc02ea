import { perObject, withoutUndefined } from '../../base/object.ts'
import type { Page, Target } from '../../brand/page.ts'
import { targetAddress } from '../../serving/addresses.ts'
import type { Publication } from '../../serving/publications/publications.ts'
import type { WordsTarget } from '../cards/link-target.ts'
import type { Guide } from '../guide/guide.ts'
import { isAlone } from '../guide/listed-sections.ts'

/** Makes the addresses of links on a page of the website. Those to the words go to the list on this page, or another. */
export async function linkAddresses(
  { publication, paths }: Guide,
  on: Page,
): Promise<(to: Target) => string | undefined> {
  const { record, content } = publication
  const files = await content.files()
  const page = (await content.appearance()).words && (await pageWithWords(content, on))
  const words = page === undefined ? undefined : `${paths.page(record, page)}#${ANCHOR}`
  return to => (to.words ? words : targetAddress(record, to, files, paths))
}

/** The list of words as its table shows it. */
export async function wordsTarget({ publication: { record, content }, paths }: Guide, on: Page): Promise<WordsTarget> {
  const pages = await content.pages()
  const { words = [] } = await content.appearance()
  const rows = words.map(({ page: id = '', ...word }) => {
    const page = pages.get(id)
    return withoutUndefined({ ...word, page: page && { name: page.name, href: paths.page(record, id) } })
  })
  return { kind: 'words', id: ANCHOR, isHere: (await pageWithWords(content, on)) === on.id, rows }
}

const ANCHOR = 'words:list' // Headings have no id with a colon.

/** The page with the list of words for links on a page: itself, the first that shows them, or the first that links to them. */
async function pageWithWords(content: Publication['content'], on: Page): Promise<string | undefined> {
  const { showing, first } = await pagesToWords(content)
  return showing.has(on.id) ? on.id : (showing.values().next().value ?? first)
}

/** The pages with a paragraph that is only a link to the words, and the first page with any link to them. */
const pagesToWords = perObject(async (content: Publication['content']) => {
  const showing = new Set<string>()
  let first: string | undefined
  for (const page of (await content.pages()).values())
    for (const { start, to } of page.links) {
      if (!to.words) continue
      if (await isAlone(content, page, start)) showing.add(page.id)
      first ??= page.id
    }
  return { showing, first }
})
