import type { MaybePromise } from '#base/promise.ts'
import { hunkLines, unifiedDiff } from '#brand/content-diff.ts'
import type { Page } from '#brand/page.ts'
import { type Change, changedSettings, isOrderChanged, publicationChanges } from '#serving/publications/changes.ts'
import type { EarlierPublication } from '#serving/publications/earlier.ts'
import type { Publication } from '#serving/publications/publications.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import { type Guide, hasChanges } from '../../guide/guide.ts'
import { type Html, html, type Word } from '../../html.ts'
import { guidePage } from '../../layout/layout.ts'
import { changedColors, changedFiles, changedTypes } from './changed-items.ts'

/**
 * The changes since an earlier revision, with the publisher's note, or of a draft since publication: pages and type
 * styles by name, colours and files before and after. Earlier text and removed items appear to all readers of a draft;
 * otherwise only where earlier revisions are served, and only to readers who could see that revision: everyone if it was
 * public, otherwise those with a token. Undefined for a first revision. Pages of later revisions link
 * here, so these always have a page, even if the earlier revision was private, retracted, freed or identical. `review` is
 * the part with which readers answer to a draft, which has a page even if nothing was published before.
 */
export async function changesView(guide: Guide, review?: Html): Promise<Representation | undefined> {
  if (!hasChanges(guide) && !review) return undefined
  const { publication, words } = guide
  const { note, earlier } = (await guide.site.earlier(publication)) ?? {}
  const compared = earlier
    ? await comparison(guide, earlier)
    : { pages: html`<p>${review ? words.review.first : words.changes.nothingBefore}</p>`, items: undefined }
  const { title } = words.changes
  const main = html`<article class="prose"><h1>${title}</h1>
${note !== undefined && html`<p class="lead" dir="auto">${note}</p>\n`}${compared.pages}</article>
${compared.items}${review}`
  const page = { title: `${title}`, below: '/-/changes', main }
  return guidePage(guide, review ? { ...page, kind: 'review', referrer: 'same-origin' } : { ...page, kind: 'mixed' })
}

async function comparison(guide: Guide, { publication: earlier, wasPublic }: EarlierPublication) {
  const { site, publication, words } = guide
  const mayName = maySee(guide, wasPublic) || publication.record.draftOf !== undefined
  const { pages, colors, types, files } = await publicationChanges(earlier, publication)
  const removed = mayName ? pages.removed : []
  const link = ({ id, name }: Page) => html`<a href="${site.paths.page(publication.record, id)}">${name}</a>`
  const linkWithText = async (change: Change<Page>) =>
    html`${link(change.to)}${mayName ? await textChanges([earlier, publication], change) : undefined}`
  const lists = [
    await list(words.changes.added, pages.added, link),
    await list(words.changes.changed, pages.changed, linkWithText),
    await list(words.changes.removed, removed, ({ name }) => html`${name}`),
  ]
  const { revision, publishedAt } = earlier.published
  const isEmpty = lists.every(each => each === undefined)
  return {
    pages: html`<p>${words.changes.since({ revision, day: words.day(publishedAt) })}</p>
${isEmpty && html`<p>${words.changes.none}</p>`}${await settingsNote(guide, earlier)}<div class="changes">${lists}</div>`,
    items: html`${await changedColors(guide, colors, mayName)}${changedTypes(guide, types, mayName)}${changedFiles(guide, files, mayName)}`,
  }
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

async function list<Item>(
  title: Word,
  pages: readonly Item[],
  item: (page: Item) => MaybePromise<Html>,
): Promise<Html | undefined> {
  if (pages.length === 0) return undefined
  const items: Html[] = []
  for (const page of pages) {
    items.push(html`<li>${await item(page)}</li>\n`)
  }
  return html`<section><h2>${title}</h2>\n<ul>\n${items}</ul></section>\n`
}

/** The changed lines of a page's Markdown, as `housestyle diff` shows them; undefined if the Markdown is the same. */
async function textChanges(
  [earlier, current]: readonly [Publication, Publication],
  { from, to }: Change<Page>,
): Promise<Html | undefined> {
  const [before, after] = [await earlier.content.text(from), await current.content.text(to)]
  if (before === after) return undefined
  const lines = hunkLines(unifiedDiff(to.id, before, after, MAX_EDITS))
  const more = lines.length > MAX_LINES ? '\n…' : ''
  return html`\n<pre class="diff" tabindex="0"><code>${lines.slice(0, MAX_LINES).map(lineHtml)}${more}</code></pre>`
}

/** Found within a few milliseconds. */
const MAX_EDITS = 400
/** A rewritten page may have thousands. */
const MAX_LINES = 400

function lineHtml(line: string): Html {
  if (line.startsWith('+')) return html`<ins>${line}</ins>\n`
  if (line.startsWith('-')) return html`<del>${line}</del>\n`
  return html`${line}\n`
}
