import { HOME_PAGE } from '#brand/page.ts'
import type { Addresses } from '#serving/addresses.ts'
import type { Publication } from '#serving/publications/publications.ts'
import { filledSections, type Guide, isInMenus, originalIn, pathBelow } from '../guide/guide.ts'
import { type Html, html } from '../html.ts'

/** The place of a page in its guide; `below` is its path there, undefined for a 404. */
export type LanguagePlace = { id?: string; below: string | undefined }

/** The links to a page in other languages for the header; to the home pages of those that lack it. */
export async function languageLinks(guide: Guide, place: LanguagePlace): Promise<Html | undefined> {
  const { site, publication, languages, words } = guide
  if (languages.length === 0) return undefined
  const links = [publication, ...languages].map(async each => {
    const lang = await langOf(each)
    const path = (await addressIn(each, place, site.paths)) ?? site.paths.project(each.record)
    const mark = each === publication && html` aria-current="true"`
    return html`<li><a href="${path}" lang="${lang}" hreflang="${lang}" dir="auto"${mark}>${languageName(lang)}</a></li>\n`
  })
  const [code = ''] = (await langOf(publication)).split('-')
  return html`<nav class="languages" aria-label="${words.frame.language}"><details><summary>${code.toUpperCase()}</summary><ul>
${await Promise.all(links)}</ul></details></nav>
`
}

/** The addresses of a page by `hreflang`, one for each language that has it, for search engines; none if only this guide has it. */
export async function alternates(
  { site, publication, languages }: Guide,
  place: LanguagePlace,
): Promise<ReadonlyMap<string, string>> {
  const addresses = new Map<string, string>()
  let original: string | undefined
  for (const each of [publication, ...languages]) {
    const address = await addressIn(each, place, site.urls)
    const lang = await langOf(each)
    // A former project of a translation may still be published.
    if (address === undefined || addresses.has(lang)) continue
    addresses.set(lang, address)
    if (!(await each.content.translation())) original = address
  }
  if (addresses.size < 2) return new Map()
  return original === undefined ? addresses : addresses.set('x-default', original)
}

/** The pages that a translation lacks, as links to its original: on its list of pages, and the first on its home page. */
export async function untranslated(guide: Guide, { below }: LanguagePlace, max: number): Promise<Html | undefined> {
  const { site, publication, words } = guide
  const isHome = below === ''
  if (!isHome && below !== '/-/pages') return undefined
  const original = await originalIn(guide)
  if (!original) return undefined
  const translatedPages = await publication.content.pages()
  const lang = await langOf(original)
  const originalPages = (await original.content.pages()).values()
  const missing = originalPages.filter(
    page => page.id !== HOME_PAGE && isInMenus(page) && !translatedPages.has(page.id),
  )
  const items = Array.from(missing.take(isHome ? MAX_UNTRANSLATED : max), ({ id, name }) => {
    const path = site.paths.page(original.record, id)
    const link = html`<a href="${path}" lang="${lang}" hreflang="${lang}">${name}</a>`
    return html`<li>${link} <span class="quiet" lang="${lang}">${languageName(lang)}</span></li>\n`
  })
  if (items.length === 0) return undefined
  const title = words.pages.untranslated
  const heading = isHome ? html`<a href="${pathBelow(guide, 'pages')}">${title}</a>` : title
  return html`<section class="prose" aria-labelledby="Untranslated"><h2 id="Untranslated">${heading}</h2>
<div class="index"><ul>\n${items}</ul></div></section>\n`
}

const MAX_UNTRANSLATED = 24

/** The address of a page, or of a generated list such as `/-/colors`, in a guide; undefined if that lacks it. */
async function addressIn(
  publication: Publication,
  { id = HOME_PAGE, below }: LanguagePlace,
  addresses: Addresses,
): Promise<string | undefined> {
  const { record, content } = publication
  if (id !== HOME_PAGE) return (await content.pages()).has(id) ? addresses.page(record, id) : undefined
  const lists = ['pages', 'use', ...(await filledSections({ publication }))]
  if (below !== undefined && lists.some(name => below === `/-/${name}`)) return addresses.below(record, below)
  return below === '' ? addresses.project(record) : undefined
}

async function langOf({ content }: Publication): Promise<string> {
  return (await content.lang()) ?? 'en'
}

/** The name of a language in itself: `Deutsch`, `Português (Brasil)`. */
function languageName(lang: string): string {
  const name = new Intl.DisplayNames(lang, { type: 'language' }).of(lang) ?? lang
  return name.charAt(0).toLocaleUpperCase(lang) + name.slice(1)
}
