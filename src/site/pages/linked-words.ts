import { perObject, withoutUndefined } from '../../base/object.ts'
import type { Page, Target } from '../../brand/page.ts'
import { targetAddress } from '../../serving/addresses.ts'
import type { Publication } from '../../serving/publications/publications.ts'
import type { WordsTarget } from '../cards/link-target.ts'
import type { Guide } from '../guide/guide.ts'
import { isAlone } from '../guide/listed-sections.ts'

/** Makes the addresses of links on the website, where the list of words is on the page that `pageWithWords` finds. */
export async function linkAddresses({ publication, paths }: Guide): Promise<(to: Target) => string | undefined> {
  const { record, content } = publication
  const files = await content.files()
  const { page } = (await content.appearance()).words ? await pageWithWords(content) : {}
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
  return { kind: 'words', id: ANCHOR, isHere: (await pageWithWords(content)).page === on.id, rows }
}

const ANCHOR = 'words:list' // Headings have no id with a colon.

/** The first page that links to the list of words alone in a paragraph, else the first that links to it at all. */
const pageWithWords = perObject(async (content: Publication['content']): Promise<{ page?: string }> => {
  let first: string | undefined
  for (const page of (await content.pages()).values())
    for (const { start, to } of page.links) {
      if (!to.words) continue
      if (await isAlone(content, page, start)) return { page: page.id }
      first ??= page.id
    }
  return withoutUndefined({ page: first })
})
