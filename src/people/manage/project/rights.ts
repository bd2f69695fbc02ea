import type { Ids } from '#brand/contract/route.ts'
import { noticeOf } from '#brand/file.ts'
import type { Reply, Request } from '#platform/exchange/message.ts'
import { content } from '#platform/exchange/reply.ts'
import { libraryOf } from '#serving/publications/library.ts'
import { guideName } from '#serving/publications/publications.ts'
import { type Guide, isDraft, pathBelow } from '#site/guide/guide.ts'
import { type Html, html } from '#site/html.ts'
import { lastDay } from '#site/library/files/file-card.ts'
import { filePath } from '#site/library/files/file-list.ts'
import { atomFeed } from '#site/texts/atom-feed.ts'
import { listNotices } from '#store/catalogue/notices.ts'
import { type ManageContext, managedBy } from '../context.ts'
import { unshared } from '../form.ts'
import { managedGuide } from '../manage-page.ts'

/** The published files whose rights end soon, then the ended ones. Undefined without any. */
export async function rightsSection(guide: Guide): Promise<Html | undefined> {
  if (isDraft(guide)) return undefined
  const { content } = guide.publication
  const { rights, more } = guide.words.manage
  const library = await libraryOf(content)
  const ownFiles = library.limited.filter(({ isInherited }) => !isInherited)
  // By the days until the end: 7 and 30 are at most so many, and 0 is over.
  const filesByNotice = Map.groupBy(ownFiles, ({ until = '' }) => noticeOf({ until }, content.today()))
  const endingFiles = [...(filesByNotice.get(7) ?? []), ...(filesByNotice.get(30) ?? [])]
  const files = [...endingFiles, ...(filesByNotice.get(0) ?? []).toReversed()]
  if (files.length === 0) return undefined
  const entries = files.slice(0, MAX_FILES).map(
    file => html`<li><div><a href="${filePath(guide, library, file)}"><code dir="ltr">${file.path}</code></a> <span>${lastDay(guide, file)}</span></div></li>
`,
  )
  return html`<section><h2>${endingFiles.length > 0 ? rights.soon : rights.ended}</h2>
<ul class="entries">
${entries}</ul>
<p>${files.length > MAX_FILES && html`${more({ count: files.length - MAX_FILES })} · `}<a href="${pathBelow(guide, 'manage/rights.atom')}" type="${ATOM}">${rights.feed}</a></p></section>
`
}

const MAX_FILES = 20
const ATOM = 'application/atom+xml'
const FEED = '/-/manage/rights.atom'

/** The latest notices about the rights to the files of a project, newest first. */
export async function rightsFeedReply(context: ManageContext, request: Request, ids: Ids): Promise<Reply | undefined> {
  const managed = await managedBy(context, request, ids)
  if (!managed) return undefined
  const { record } = managed
  const guide = await managedGuide(context, managed)
  const { manage, files, day } = guide.words
  const notices = await listNotices(context.store.database, record, MAX_NOTICES)
  const entries = notices.map(({ id, path: file, until, days, happenedAt: updated }) => {
    const end = files.uses[days === 0 ? 'expired' : 'until']({ day: day(new Date(until)) })
    return { path: `${FEED}#${id}`, title: `${file}: ${end}`, updated }
  })
  const updated = entries[0]?.updated ?? record.updatedAt
  const about = { title: `${guideName(guide)} – ${manage.rights.soon}`, updated, entries }
  const feed = atomFeed(guide, { path: FEED, page: context.site.urls.below(record, '/-/manage'), ...about })
  return unshared(content(`${ATOM}; charset=utf-8`, feed))
}

const MAX_NOTICES = 100
