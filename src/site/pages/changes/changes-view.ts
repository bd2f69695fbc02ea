import { changedSettings, isOrderChanged, publicationChanges } from '#serving/publications/changes.ts'
import type { EarlierPublication } from '#serving/publications/earlier.ts'
import type { Publication } from '#serving/publications/publications.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import { type Guide, hasChanges, pathBelow } from '../../guide/guide.ts'
import { type Html, html } from '../../html.ts'
import { guidePage } from '../../layout/layout.ts'
import { earlierTypeSheet } from '../../library/type/type-sheet.ts'
import { changedColors, changedFiles, changedTypes } from './changed-items.ts'
import { changedPages, earlierGuide } from './changed-pages.ts'

/** The query of a page of changes: the page that its reader opened. */
export type ChangesQuery = { page?: string | undefined }

export function parseChangesQuery(query: string): ChangesQuery {
  return { page: new URLSearchParams(query).get('page') ?? undefined }
}

/**
 * The changes since an earlier revision, with the publisher's note, or of a draft since publication: pages with marked
 * words, styles and files before and after. Earlier text and removed items appear to all readers of a draft;
 * otherwise only where earlier revisions are served, and only to readers who could see that revision: everyone if it was
 * public, otherwise those with a token. Undefined for a first revision. Pages of later revisions link
 * here, so these always have a page, even if the earlier revision was private, retracted, freed or identical. `review` is
 * the part with which readers answer to a draft, which has a page even if nothing was published before.
 */
export async function changesView(
  guide: Guide,
  query: ChangesQuery,
  review?: Html,
): Promise<Representation | undefined> {
  if (!hasChanges(guide) && !review) return undefined
  const { publication, words } = guide
  const { note, earlier } = (await guide.site.earlier(publication)) ?? {}
  const compared = earlier
    ? await comparison(guide, earlier, query.page)
    : html`<p>${review ? words.review.first : words.changes.nothingBefore}</p>\n`
  const { title } = words.changes
  const main = html`<article class="prose compared"><h1>${title}</h1>
${note !== undefined && html`<p class="lead" dir="auto">${note}</p>\n`}${compared}</article>
${review}`
  const sheets = [pathBelow(guide, 'changes.css'), pathBelow(guide, 'type.css')]
  const page = { title: `${title}`, below: '/-/changes', main, sheets, isWide: true }
  return guidePage(guide, review ? { ...page, kind: 'review', referrer: 'same-origin' } : { ...page, kind: 'mixed' })
}

/** The style sheet for the earlier samples of type styles; undefined if the reader may not see them. */
export async function changesSheet(guide: Guide): Promise<Representation | undefined> {
  const { earlier } = (await guide.site.earlier(guide.publication)) ?? {}
  if (!earlier || !mayRead(guide, earlier)) return undefined
  const { types } = await publicationChanges(earlier.publication, guide.publication)
  return earlierTypeSheet(
    earlierGuide(guide, earlier.publication),
    types.changed.map(({ from }) => from),
  )
}

function mayRead(guide: Guide, { wasPublic }: EarlierPublication): boolean {
  return maySee(guide, wasPublic) || guide.publication.record.draftOf !== undefined
}

async function comparison(guide: Guide, compared: EarlierPublication, opened: string | undefined): Promise<Html> {
  const { publication, words } = guide
  const { publication: earlier } = compared
  const mayName = mayRead(guide, compared)
  const { pages, colors, types, files } = await publicationChanges(earlier, publication)
  const { revision, publishedAt } = earlier.published
  const changed = await changedPages(guide, pages, { earlier, mayName, opened, address: '?' })
  return html`<p>${words.changes.since({ revision, day: words.day(publishedAt) })}</p>
${!changed && html`<p>${words.changes.none}</p>`}${await settingsNote(guide, earlier)}
${changed}${await changedColors(guide, colors, mayName)}${changedTypes(guide, types, mayName)}${changedFiles(guide, files, mayName)}`
}

/** Whether readers of a published guide may see an earlier revision. */
export function maySee({ publication, hasToken }: Guide, wasPublic: boolean): boolean {
  return publication.published.revisions === 'served' && (wasPublic || hasToken)
}

/**
 * A sentence if the name, language, theme or wording of the whole guide differ. Readers of a draft also learn which keys
 * of `project.yaml` these are, and that the order of the pages differs.
 */
export async function settingsNote({ publication, words }: Guide, earlier: Publication): Promise<Html | undefined> {
  const { draftOf } = publication.record
  const settings = await changedSettings(earlier, publication)
  if (!draftOf) return settings.length === 0 ? undefined : html`\n<p>${words.changes.settings}</p>`
  const isReordered = await isOrderChanged(earlier, publication)
  const isRevisionsSame = draftOf.draft.revisions === draftOf.published?.revisions
  const keys = [...settings, ...(isReordered ? ['pages'] : []), ...(isRevisionsSame ? [] : ['revisions'])]
  if (keys.length === 0) return undefined
  const names = keys.map((key, at) => html`${at > 0 && words.comma}<code dir="ltr">${key}</code>`)
  return html`\n<p>${words.changes.settings} ${names}</p>`
}
