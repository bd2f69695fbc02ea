import { inSteps, yieldIfDue } from '../../base/steps.ts'
import type { Page } from '../../brand/page.ts'
import type { Representation } from '../../serving/replies/response-cache.ts'
import { type Guide, hasChanges } from '../guide/guide.ts'
import { type Html, html, type Word } from '../html.ts'
import { guidePage } from '../layout/layout.ts'

/**
 * The pages that are new, changed or removed since an earlier revision. Removed pages are named only where earlier revisions
 * are served, and only to readers who could see that revision: everyone if it was public, otherwise those with a token.
 * Undefined for a first revision. Pages of later revisions link here, so these always have a page, even if the earlier
 * revision was private, retracted, freed or identical.
 */
export async function changesView(guide: Guide): Promise<Representation | undefined> {
  const { publication, paths, words } = guide
  if (!hasChanges(guide)) return undefined
  const earlier = await guide.earlier(publication)
  if (!earlier) return changesPage(guide, html`<p>${words.changes.nothingBefore}</p>`)
  const [before, after] = [await earlier.publication.content.pages(), await publication.content.pages()]
  const { added, changed } = await changesIn(before, after)
  const mayName = publication.published.revisions === 'served' && (earlier.wasPublic || guide.hasToken)
  const removed = mayName ? [...before.values()].filter(({ id }) => !after.has(id)) : []
  const link = ({ id, name }: Page) => html`<a href="${paths.page(publication.record, id)}">${name}</a>`
  const lists = [
    await list(words.changes.added, added, link),
    await list(words.changes.changed, changed, link),
    await list(words.changes.removed, removed, ({ name }) => html`${name}`),
  ]
  const { revision, publishedAt } = earlier.publication.published
  const isEmpty = added.length + changed.length + removed.length === 0
  const since = html`<p>${words.changes.since(revision, words.day(publishedAt))}</p>`
  return changesPage(guide, html`${since}\n${isEmpty && html`<p>${words.changes.none}</p>`}${lists}`)
}

function changesPage(guide: Guide, changes: Html): Promise<Representation> {
  const { title } = guide.words.changes
  const main = html`<article class="prose"><h1>${title}</h1>\n${changes}</article>`
  return guidePage(guide, { title: `${title}`, below: '/-/changes', main })
}

async function changesIn(
  before: ReadonlyMap<string, Page>,
  after: ReadonlyMap<string, Page>,
): Promise<{ added: Page[]; changed: Page[] }> {
  const changes: { added: Page[]; changed: Page[] } = { added: [], changed: [] }
  for (const page of after.values()) {
    await yieldIfDue()
    const old = before.get(page.id)
    if (!old) changes.added.push(page)
    else if (visibleParts(old) !== visibleParts(page)) changes.changed.push(page)
  }
  return changes
}

/** The parts of a page that readers see. */
function visibleParts({ name, description, content, cover }: Page): string {
  return JSON.stringify([name, description, content, cover])
}

async function list(title: Word, pages: readonly Page[], item: (page: Page) => Html): Promise<Html | undefined> {
  if (pages.length === 0) return undefined
  const items = await inSteps(pages, page => html`<li>${item(page)}</li>\n`)
  return html`<h2>${title}</h2>\n<ul>\n${items}</ul>\n`
}
