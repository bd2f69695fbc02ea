import { join } from 'node:path'
import { RETRY_SOON, refusalReply, refuse } from '#brand/contract/refusals.ts'
import type { HiddenRoute, Ids } from '#brand/contract/route.ts'
import type { Page } from '#brand/page.ts'
import { equalsInConstantTime } from '#platform/base/bytes.ts'
import type { MaybePromise } from '#platform/base/promise.ts'
import type { Result } from '#platform/base/result.ts'
import type { Reply, Request } from '#platform/exchange/message.ts'
import { readOwnForm, readOwnUpload, type SentFile } from '#platform/exchange/own-form.ts'
import { redirect } from '#platform/exchange/reply.ts'
import { edits } from '#serving/access/session/exercised-rights.ts'
import type { Person } from '#serving/access/session/session-verifier.ts'
import { offersSignin } from '#serving/access/session/signins.ts'
import { draftProject } from '#serving/pointers/pointers.ts'
import { withAccess } from '#site/authorize.ts'
import type { Guide } from '#site/guide/guide.ts'
import { openGuide } from '#site/guide-reply.ts'
import { html, type Word } from '#site/html.ts'
import { introductionOf } from '#site/introduction.ts'
import { standalonePage } from '#site/pages/standalone-page.ts'
import { readerWords } from '#site/words/reader-words.ts'
import type { Words } from '#site/words/words.ts'
import { findProject, isWaiting, type ProjectRecord } from '#store/catalogue/catalogue.ts'
import { makeTemporaryFolder } from '#store/temporary-folder.ts'
import { formToken } from '../../manage/context.ts'
import { unshared } from '../../manage/form.ts'
import { foreignForm } from '../../manage/refused-request.ts'
import { leadTo } from '../../signin/people/signin-addresses.ts'
import { type EditedFiles, type Editor, MAX_EDIT_BYTES, MAX_UPLOAD_BYTES } from './context.ts'
import type { Target } from './target.ts'

/** A request of somebody who may edit now: a person, or in `dev` everybody. */
export type Visit = { context: Editor; request: Request; person: Person | undefined; words: Words }

/** A visit to a project whose files the person may edit. */
export type GuideVisit = Visit & { record: ProjectRecord; files: EditedFiles; guide: Guide }

/** A page of the editor, and the reply to its form. */
export type FormPage = {
  /** Shows the form, also again with the fields that were sent and the problem for which they changed nothing. */
  show: (problem?: Word, sent?: URLSearchParams) => MaybePromise<Reply | undefined>
  answer: (fields: URLSearchParams, file?: SentFile) => Promise<Result<Reply | undefined, Word>>
}

/** Answers at an address of a guide. The right to edit is checked for each request, before its body is read. */
export function guideRoute(
  open: (visit: GuideVisit, ids: Ids) => MaybePromise<FormPage | undefined>,
): HiddenRoute<Editor>['answer'] {
  return async (context, request, ids) => {
    const visit = await visitGuide(context, request, ids)
    if (!visit || 'status' in visit) return visit
    const page = await open(visit, ids)
    return page && formReply(visit, page)
  }
}

async function visitGuide(context: Editor, request: Request, ids: Ids): Promise<GuideVisit | Reply | undefined> {
  const { site, store } = context.manage
  const { workspace, project } = ids
  const files = await context.filesOf({ workspace, project })
  if (!files) return undefined
  const person = await site.service.sessions.person(request, workspace)
  const record = await findProject(store.database, workspace, project)
  if (!record || !(context.isForAll || (person && edits(person, record)))) return lacking(context, request, ids, person)
  const guide = await guideOf({ context, person }, record.published ? record : draftProject(record))
  return guide && { context, request, person, words: guide.words, record, files, guide }
}

/** A project as this person sees it. */
async function guideOf(
  { context: { manage }, person }: Pick<Visit, 'context' | 'person'>,
  record: ProjectRecord,
): Promise<Guide | undefined> {
  const { site } = manage
  const { name = record.workspace } = (await site.service.pointers.workspace(record.workspace)) ?? {}
  const publication = site.service.openPublication(record)
  return publication && openGuide(site, publication, name, person && { person })
}

/** Leads readers of the guide to the sign-in, and back; a person who may not edit learns whom to ask. */
function lacking(context: Editor, request: Request, ids: Ids, person: Person | undefined) {
  const { site } = context.manage
  return withAccess(site, request, {
    ref: ids,
    scopes: async () => [],
    reply: async () => {
      const { workspace } = ids
      const query = new URLSearchParams({ workspace, return: site.here(request.path) })
      if (!person && offersSignin(site.service.signins, workspace)) return leadTo(site.here(`/-/signin?${query}`))
      const { edit, pages, lang } = readerWords(request)
      const introduction = await introductionOf(site, workspace)
      const text = html`<p>${edit.denied}</p>\n`
      return unshared(standalonePage(site.assets, 403, { title: pages.edit, text, lang, introduction }))
    },
  })
}

/** Shows a page, or answers its form if a page of this service sent it to this person. */
export async function formReply(visit: Visit, { show, answer }: FormPage): Promise<Reply | undefined> {
  const { request, context } = visit
  if (request.method !== 'POST') return show()
  return withForm(visit, async ({ fields, file } = { fields: new URLSearchParams() }) => {
    if (!equalsInConstantTime(fields.get('token') ?? '', tokenOf(visit))) return foreignForm(context.manage, request)
    const answered = await answer(fields, file)
    return answered.ok ? answered.value : show(answered.problem, fields)
  })
}

/** The token in the forms of a visitor. In `dev`, only this machine sends forms. */
export function tokenOf({ context, person }: Pick<Visit, 'context' | 'person'>): string {
  return formToken(context.manage, person ?? { id: '', subject: 'dev' })
}

type SentForm = { fields: URLSearchParams; file?: SentFile }

/** Reads a form, with a file that lasts as long as the work. All such files together have a limit. */
async function withForm(
  { context: { manage, uploads }, request }: Visit,
  work: (form: SentForm | undefined) => Promise<Reply | undefined>,
): Promise<Reply | undefined> {
  const { url } = manage.site
  if (!request.upload) {
    const fields = readOwnForm(url, request, { maxBytes: MAX_EDIT_BYTES })
    return work(fields && { fields })
  }
  const bytes = Number(request.headers['content-length'] ?? MAX_UPLOAD_BYTES)
  if (!uploads.take(request, bytes)) return refusalReply(refuse('overloaded', RETRY_SOON), url)
  try {
    await using folder = await makeTemporaryFolder()
    return await work(await readOwnUpload(url, request, join(folder.path, 'upload')))
  } finally {
    uploads.giveBack(request, bytes)
  }
}

/** The attribute of a form with a file. */
export const UPLOAD = html` enctype="multipart/form-data"`

/** Leads to a page after a save, whose result it shows: `?saved={hash}&at={milliseconds}`. */
export function savedReply({ context: { manage } }: Visit, address: string, commit = '', more = {}): Reply {
  const query = new URLSearchParams({ ...more, saved: commit, at: `${manage.store.clock.now()}` })
  return unshared(redirect(303, `${address}?${query}`))
}

/** The address of a page of the editor, as browsers see it. */
export function editAddress({ context, record }: Pick<GuideVisit, 'context' | 'record'>, below: string): string {
  return context.manage.site.here(`/${record.workspace}/${record.project}/-/edit/${encodeURI(below)}`)
}

/** The path of the page that shows a file. */
export function shownPath({ site, publication }: Guide, { shown }: Pick<Target, 'shown'>): string {
  return site.paths.below(publication.record, shown) || '/'
}

/** The page of the latest draft that has an address, perhaps as an earlier one. */
export async function pageAt(visit: GuideVisit, id: string): Promise<Page | undefined> {
  const content = (await draftOf(visit))?.publication.content
  return Array.from((await content?.pages())?.values() ?? []).find(
    page => page.id === id || page.aliases?.some(alias => alias === id),
  )
}

/** The guide as it was imported last. */
export function draftOf(visit: GuideVisit): Promise<Guide | undefined> {
  const { record } = visit
  return guideOf(visit, isWaiting(record) ? draftProject(record) : record)
}
