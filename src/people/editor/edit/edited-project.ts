import type { Ids } from '#brand/contract/route.ts'
import type { Reply, Request } from '#platform/exchange/message.ts'
import { edits } from '#serving/access/session/exercised-rights.ts'
import type { Person } from '#serving/access/session/session-verifier.ts'
import { offersSignin } from '#serving/access/session/signins.ts'
import { draftProject } from '#serving/pointers/pointers.ts'
import { withAccess } from '#site/authorize.ts'
import type { Guide } from '#site/guide/guide.ts'
import { openGuide } from '#site/guide-reply.ts'
import { html } from '#site/html.ts'
import { introductionOf } from '#site/introduction.ts'
import { standalonePage } from '#site/pages/standalone-page.ts'
import { readerWords } from '#site/words/reader-words.ts'
import { findProject, type ProjectRecord } from '#store/catalogue/catalogue.ts'
import type { Sender } from '../../manage/context.ts'
import { unshared } from '../../manage/form.ts'
import { leadTo } from '../../signin/people/signin-addresses.ts'
import type { EditedFiles, Editor } from './context.ts'
import type { Target } from './target.ts'

/** A project whose files somebody may edit now: a person, or in `dev` everybody. */
export type EditedProject = {
  record: ProjectRecord
  files: EditedFiles
  guide: Guide
  person: Person | undefined
  sender: Sender
}

/** The project of a request that may edit it, checked again for each request. For readers of the guide, the reply says what they lack. */
export async function editedProject(
  context: Editor,
  request: Request,
  ids: Ids,
): Promise<EditedProject | Reply | undefined> {
  const { site, store } = context.manage
  const { workspace, project } = ids
  const files = await context.filesOf({ workspace, project })
  if (!files) return undefined
  const person = await site.service.sessions.person(request, workspace)
  const record = await findProject(store.database, workspace, project)
  if (!record || !(context.isForAll || (person && edits(person, record)))) return lacking(context, request, ids, person)
  const { name = workspace } = (await site.service.pointers.workspace(workspace)) ?? {}
  const publication = site.service.openPublication(record.published ? record : draftProject(record))
  if (!publication) return undefined
  const guide = await openGuide(site, publication, name, person && { person })
  return { record, files, guide, person, sender: person ?? NOBODY }
}

/** In `dev`, whose forms only this machine sends. */
export const NOBODY: Sender = { id: '', subject: 'dev' }

/** Leads readers of the guide to the sign-in, and back; a person who may not edit learns whom to ask. */
function lacking(context: Editor, request: Request, ids: Ids, person: Person | undefined) {
  const { site } = context.manage
  return withAccess(site, request, {
    ref: ids,
    scopes: async () => [],
    reply: async () => {
      const words = readerWords(request)
      const { workspace } = ids
      const query = new URLSearchParams({ workspace, return: site.here(request.path) })
      if (!person && offersSignin(site.service.signins, workspace)) return leadTo(site.here(`/-/signin?${query}`))
      const introduction = await introductionOf(site, workspace)
      const text = html`<p>${words.edit.denied}</p>\n`
      return unshared(
        standalonePage(site.assets, 403, { title: words.pages.edit, text, lang: words.lang, introduction }),
      )
    },
  })
}

/** The path of the page that shows a file. */
export function shownPath({ guide: { site, publication } }: EditedProject, { shown }: Pick<Target, 'shown'>): string {
  return site.paths.below(publication.record, shown) || '/'
}
