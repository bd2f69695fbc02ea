import { isOrderChanged, publicationChanges, settingsOf } from '#serving/publications/changes.ts'
import type { Chosen, EarlierPublication, KnownRevision } from '#serving/publications/earlier.ts'
import type { Publication } from '#serving/publications/publications.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import { type Guide, hasChanges, isDraft, pathBelow, queryOf } from '../../guide/guide.ts'
import { attribute, type Html, html, type Word } from '../../html.ts'
import { libraryHead } from '../../layout/head.ts'
import { guidePage } from '../../layout/layout.ts'
import { earlierTypeSheet, typeSheet } from '../../library/type/type-sheet.ts'
import type { Words } from '../../words/words.ts'
import { changedColors, changedFiles, changedTypes } from './changed-items.ts'
import { changedPages, earlierGuide } from './changed-pages.ts'
import { changedValues } from './changed-values.ts'

/** The query of a page of changes: the revisions to compare, and the page that its reader opened. */
export type ChangesQuery = Chosen & { page?: string | undefined }

/** Parses the query of a page of changes: `?from=2&to=4&page=logo`. */
export function parseChangesQuery(query: string): ChangesQuery {
  const params = new URLSearchParams(query)
  // `NaN` for other text, which no revision has as its number.
  const number = (name: string) => {
    const text = params.get(name)
    return text === null ? undefined : Number(text)
  }
  return { from: number('from'), to: number('to'), page: params.get('page') ?? undefined }
}

/**
 * The changes since an earlier revision, with the publisher's note, or of a draft since publication: pages with marked
 * words, styles and files before and after.
 *
 * Earlier text and removed items appear to all readers of a draft; otherwise only where earlier revisions are served, and
 * only to readers who could see that revision: everyone if it was public, otherwise those with a token.
 *
 * Undefined for a first revision. Pages of later revisions link here, so these always have a page, even if the earlier
 * revision was private, retracted, freed or identical. `review` is the part with which readers answer to a draft, which
 * has a page even if nothing was published before.
 */
export async function changesView(
  guide: Guide,
  query: ChangesQuery,
  review?: Html,
): Promise<Representation | undefined> {
  if (!hasChanges(guide) && !review) return undefined
  const { words } = guide
  const compared = await compare(guide, query)
  if (!compared) return undefined
  const { note, earlier, later, numbers } = compared
  const content = earlier
    ? await comparison(later, earlier, query)
    : html`<p>${review ? words.review.first : words.changes.nothingBefore}</p>\n${allPages(guide)}`
  const { title } = words.changes
  const noteLine = note !== undefined && html`<p class="lead" dir="auto">${note}</p>\n`
  const form = compareForm(later, numbers, earlier?.publication.published.revision)
  const main = html`<article class="prose compared">
${form}${content}</article>
${review}`
  const samples = `${pathBelow(guide, 'changes.css')}${queryOf({ from: query.from, to: query.to })}`
  const sheets = [pathBelow(guide, 'type.css'), ...(earlier && mayRead(guide, earlier) ? [samples] : [])]
  const page = {
    title: `${title}`,
    below: '/-/changes',
    head: html`${libraryHead(guide, title)}${noteLine}`,
    main,
    sheets,
    isWide: true,
  }
  return guidePage(guide, review ? { ...page, kind: 'review', referrer: 'same-origin' } : { ...page, kind: 'changes' })
}

/**
 * The compared revisions, the later one as a guide, and the revisions among which the reader may choose. Undefined if a
 * chosen one does not exist, or if the reader may not see it.
 */
async function compare(guide: Guide, { from, to }: Chosen) {
  const { publication, signedIn } = guide
  const comparison = await guide.site.earlier(publication, { from, to })
  if (!comparison) return undefined
  const { revisions, later: laterRevision } = comparison
  const { revision } = publication.published
  const readable = revisions.filter(({ number, wasPublic }) => number === revision || maySee(guide, wasPublic))
  const isReadable = (chosen: number | undefined) =>
    chosen === undefined || readable.some(({ number }) => number === chosen)
  // The form of managers is sent to an address at which they may read all revisions.
  const numbers = signedIn?.manage === undefined ? readable : revisions
  const later = laterRevision
    ? { ...guide, publication: { ...laterRevision.publication, record: publication.record } }
    : guide
  return [from, to].every(isReadable) ? { ...comparison, later, numbers } : undefined
}

/** The form that compares any two revisions, and the links with which managers read them. Undefined for only one. */
function compareForm(
  guide: Guide,
  numbers: readonly ComparedRevision[],
  earlier: number | undefined,
): Html | undefined {
  const { site, publication, signedIn, words } = guide
  const manage = signedIn?.manage
  // A copy in a folder has no other revisions.
  if (numbers.length < 2 || site.copy || (isDraft(guide) && manage === undefined)) return undefined
  // The newest comes first; for a draft, the form starts with the two newest.
  const [newest, secondNewest] = numbers.map(({ number }) => number)
  const chosen = isDraft(guide)
    ? { from: secondNewest, to: newest }
    : { from: earlier, to: publication.published.revision }
  const form = revisionsForm(words, numbers, chosen, manage && `${manage}/revision/${newest}/-/changes`)
  if (manage === undefined) return form
  const links = numbers.map(
    ({ number }) => html`<li><a href="${manage}/revision/${number}">${words.manage.revision} ${number}</a></li>\n`,
  )
  return html`${!isDraft(guide) && form}<details><summary>${words.changes.revisions}</summary>
${isDraft(guide) && form}<ul class="contents">\n${links}</ul></details>
`
}

/** The form that compares two revisions, at a path or that of its page. */
export function revisionsForm(
  words: Words,
  revisions: readonly ComparedRevision[],
  { from, to }: Chosen,
  path?: string,
): Html {
  const select = (name: string, label: Word, chosen: number | undefined) => {
    const options = revisions.map(
      ({ number, publishedAt, note }) =>
        html`<option value="${number}"${number === chosen && html` selected`}>${number} · ${words.day(publishedAt)}${note && ` · ${note.slice(0, MAX_NOTE).toWellFormed()}`}</option>\n`,
    )
    return html`<label>${label} <select name="${name}">\n${options}</select></label>\n`
  }
  return html`<form class="revisions" method="get"${attribute('action', path)}>
${select('from', words.changes.before, from)}${select('to', words.changes.after, to)}<button>${words.changes.compare}</button>
</form>
`
}

type ComparedRevision = Pick<KnownRevision, 'number' | 'publishedAt' | 'note'>

/** Enough to distinguish revisions of the same day, in characters. */
const MAX_NOTE = 50

/** The style sheet for the samples of earlier type styles; undefined if the reader may not see them. */
export async function changesSheet(guide: Guide, query: Chosen): Promise<Representation | undefined> {
  const compared = await compare(guide, query)
  if (!compared?.earlier || !mayRead(guide, compared.earlier)) return undefined
  const { later } = compared
  const { publication: earlier } = compared.earlier
  const { types } = await publicationChanges(earlier, later.publication)
  const styles = [...types.changed.map(({ from }) => from), ...types.removed]
  const earlierSheet = await earlierTypeSheet(earlierGuide(guide, earlier), styles)
  if (later === guide) return earlierSheet
  // Pages have the style sheet of the guide itself, but not that of another later revision.
  const laterSheet = await typeSheet(later)
  const bytes = Buffer.concat([laterSheet.bytes, earlierSheet.bytes])
  return { ...earlierSheet, bytes, keptMs: earlierSheet.keptMs ?? laterSheet.keptMs }
}

/** Whether the reader may read the text of an earlier revision: readers of a draft always. */
function mayRead(guide: Guide, { wasPublic }: EarlierPublication): boolean {
  return maySee(guide, wasPublic) || guide.publication.record.draftOf !== undefined
}

async function comparison(guide: Guide, compared: EarlierPublication, query: ChangesQuery): Promise<Html> {
  const { publication, words } = guide
  const { publication: earlier } = compared
  const mayName = mayRead(guide, compared)
  const { pages, colors, types, files } = await publicationChanges(earlier, publication)
  const { revision, publishedAt } = earlier.published
  const shown = { earlier, mayName, page: query.page, queryOf: (page: string) => queryOf({ ...query, page }) }
  const sections = [
    await changedPages(guide, pages, shown),
    await changedColors(guide, colors, mayName),
    changedTypes(guide, types, mayName),
    changedFiles(guide, files, mayName),
  ].filter(({ count }) => count > 0)
  const links = sections.map(
    ({ title, anchor, count }) =>
      html`<li><a href="#${anchor}">${title}</a> <span class="quiet">${words.number(count)}</span></li>\n`,
  )
  return html`<p>${words.changes.since({ revision, day: words.day(publishedAt) })}</p>
${sections.length > 1 && html`<ul class="contents">\n${links}</ul>\n`}${pages.changed.length + pages.added.length === 0 && html`<p>${words.changes.none}</p>`}${await settingsNote(guide, earlier)}
${sections.length === 0 && allPages(guide)}${sections.map(({ title, anchor, content }) => html`<h2 id="${anchor}">${title}</h2>\n${content}`)}`
}

/** The way on from a page without changes. */
function allPages(guide: Guide): Html {
  return html`<p><a href="${pathBelow(guide, 'pages')}">${guide.words.pages.all}</a></p>\n`
}

/** Whether readers of a published guide may see an earlier revision. */
export function maySee({ publication, hasToken }: Guide, wasPublic: boolean): boolean {
  return publication.published.revisions === 'served' && (wasPublic || hasToken)
}

/**
 * A sentence if the name, language, theme or wording of the whole guide differ. Readers of a draft and managers also see
 * the values, and that the order of the pages differs.
 */
export async function settingsNote({ publication, words }: Guide, earlier: Publication): Promise<Html | undefined> {
  const { draftOf, managedRevision } = publication.record
  const isWhole = draftOf !== undefined || managedRevision !== undefined
  const before = { ...(await settingsOf(earlier)), ...(draftOf && { revisions: draftOf.published?.revisions }) }
  const after = { ...(await settingsOf(publication)), ...(draftOf && { revisions: draftOf.draft.revisions }) }
  const values = changedValues<object>(words, { before, after })
  const isReordered = isWhole && (await isOrderChanged(earlier, publication))
  if (!values && !isReordered) return undefined
  return html`\n<p>${words.changes.settings}${isReordered && html` <code dir="ltr">pages</code>`}</p>\n${isWhole && values}`
}
