import { type Changes, publicationChanges } from '#serving/publications/changes.ts'
import type { KnownRevision } from '#serving/publications/earlier.ts'
import { guideName } from '#serving/publications/publications.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import { type Guide, hasChanges, isDraft } from '../../guide/guide.ts'
import { type Html, html, type Word } from '../../html.ts'
import { guideText } from '../../texts/agent-texts.ts'
import { atomFeed, type FeedEntry } from '../../texts/atom-feed.ts'
import { changedFileName } from './changed-items.ts'
import { maySee } from './changes-view.ts'

/** `changes.atom`: the publications of a guide, newest first. Undefined for a draft and for a copy. */
export async function changesFeed(guide: Guide): Promise<Representation | undefined> {
  const { site, publication, words } = guide
  if (isDraft(guide) || guide.site.copy) return undefined
  const { record, published } = publication
  const entries: FeedEntry[] = []
  for (const revision of await guide.site.revisions(publication, MAX_ENTRIES))
    entries.push({
      path: `/-/changes#revision-${revision.number}`,
      title: `${words.frame.revision({ revision: revision.number, day: words.day(revision.publishedAt) })}`,
      updated: revision.publishedAt,
      content: await contentOf(guide, revision),
    })
  const page = hasChanges(guide) ? site.urls.below(record, '/-/changes') : site.urls.project(record)
  const about = { title: `${guideName(guide)} – ${words.changes.title}`, page, updated: published.publishedAt }
  return guideText(guide, atomFeed(guide, { path: '/-/changes.atom', ...about, entries }), 'application/atom+xml')
}

/** Readers of feeds show far fewer. */
const MAX_ENTRIES = 50

/** The note of a revision, and the names of what it changed since the earlier one. */
async function contentOf(guide: Guide, { note, content, earlier }: KnownRevision): Promise<Html> {
  const text = note !== undefined && html`<p>${note}</p>\n`
  if (!content || !earlier) return html`${text}`
  const { sections, usage } = guide.words
  const mayName = maySee(guide, earlier.wasPublic)
  const changes = await publicationChanges(earlier.publication, content.publication)
  const nameOfItem = ({ name }: { name: string }) => name
  return html`${text}${[
    list(guide, usage.kinds.page, changes.pages, nameOfItem, mayName),
    list(guide, sections.colors, changes.colors, nameOfItem, mayName),
    list(guide, sections.type, changes.types, nameOfItem, mayName),
    list(guide, sections.files, changes.files, changedFileName, mayName),
  ]}`
}

function list<Item>(
  { words }: Guide,
  title: Word,
  { added, changed, removed }: Changes<Item>,
  nameOfItem: (item: Item) => string,
  mayName: boolean,
): Html | undefined {
  const line = (what: Word, items: readonly Item[]) =>
    items.length > 0 && html`<li>${what}: ${items.map(nameOfItem).join(', ')}</li>\n`
  const current = changed.map(({ to }) => to)
  const { changes } = words
  const lines = [line(changes.added, added), line(changes.changed, current), mayName && line(changes.removed, removed)]
  return lines.some(Boolean) ? html`<h3>${title}</h3>\n<ul>\n${lines}</ul>\n` : undefined
}
