import { type Guide, hasChanges, pathBelow } from '../guide/guide.ts'
import { type Html, html } from '../html.ts'

/**
 * The banner above every page of a served draft: its date, and a link to the changes since publication, or that there
 * are none. Undefined for a published guide. `current` is the path of the page.
 */
export function draftBanner(guide: Guide, current: string): Html | undefined {
  const { publication, words } = guide
  const { draftOf } = publication.record
  if (!draftOf) return undefined
  const { published } = draftOf
  const day = (date: Date) => html`<time datetime="${date.toISOString()}">${words.day(date)}</time>`
  const isSame = published?.snapshot === publication.published.snapshot
  const text =
    published && isSame
      ? words.draft.same({ revision: published.revision, day: day(published.publishedAt) })
      : words.draft.since({ day: day(publication.published.publishedAt) })
  const changes = pathBelow(guide, 'changes')
  const mark = current === changes && html` aria-current="page"`
  const link = hasChanges(guide) && !isSame && html`\n<a href="${changes}"${mark}>${words.draft.changes}</a>`
  return html`<aside class="draft" aria-label="${words.frame.draft}"><p>${text}</p>${link}</aside>
`
}
