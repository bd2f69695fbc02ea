import type { HiddenRoute, Ids } from '#brand/contract/route.ts'
import type { Page as GuidePage } from '#brand/page.ts'
import { equalsInConstantTime } from '#platform/base/bytes.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { type MaybePromise, once } from '#platform/base/promise.ts'
import { ok, type Result } from '#platform/base/result.ts'
import { fieldText } from '#platform/base/text.ts'
import type { Reply, Request } from '#platform/exchange/message.ts'
import { receiveOwnForm, type SentFile } from '#platform/exchange/own-form.ts'
import { redirect } from '#platform/exchange/reply.ts'
import { edits } from '#serving/access/session/rights.ts'
import type { Person } from '#serving/access/session/session-verifier.ts'
import { offersSignin } from '#serving/access/session/signins.ts'
import { withAccess } from '#site/authorize.ts'
import type { Guide } from '#site/guide/guide.ts'
import { type Html, html, type Word } from '#site/html.ts'
import { introductionOf } from '#site/introduction.ts'
import { navigationItem } from '#site/layout/header.ts'
import { guidePage } from '#site/layout/layout.ts'
import { withFonts } from '#site/library/with-fonts.ts'
import { standalonePage } from '#site/pages/standalone-page.ts'
import { readEditScript } from '#site/script/edited/edit-script.ts'
import { readerWords } from '#site/words/reader-words.ts'
import type { Words } from '#site/words/words.ts'
import { findProject, isWaiting } from '#store/catalogue/catalogue.ts'
import { makeTemporaryFolder } from '#store/temporary-folder.ts'
import { formToken } from '../../manage/context.ts'
import { button, formHtml, unshared } from '../../manage/form.ts'
import { resultHtml } from '../../manage/form-page.ts'
import { draftGuide, managedGuide, ownPage } from '../../manage/manage-page.ts'
import { foreignForm } from '../../manage/refused-request.ts'
import { leadTo } from '../../signin/people/signin-addresses.ts'
import { inEnglish } from '../fields.ts'
import type { Editor, Visit } from './context.ts'
import { undoSave } from './save.ts'
import { listNames } from './target.ts'
import { RESTORE, unsavedReply, withEditorCookie } from './unsaved.ts'

/** A page of the editor. */
export type Page = {
  title: Word
  main?: Html
  /** Said first, where screen readers begin. */
  problem?: Html | Word | undefined
  status?: number | undefined
  /** The id of the page of the guide that it is about. */
  id?: string | undefined
  /** The nonce of the styles of the text editor. */
  nonce?: string
}

/** A page with a form, and the reply to this. */
export type FormPage = {
  /** Shows the form, also again with the fields that were sent and changed nothing. */
  show: (sent?: URLSearchParams) => MaybePromise<Page | Reply | undefined>
  answer: (sent: URLSearchParams, files: readonly SentFile[]) => Promise<Result<Page | Reply | undefined, Html | Word>>
  /** Undoes a save of other files than those of the guide. */
  undo?: ((commit: string) => ReturnType<FormPage['answer']>) | undefined
}

/** Answers at an address of a guide. The right to edit is checked for each request, before its body is read. */
export function guideRoute(
  open: (visit: Visit, ids: Ids) => MaybePromise<FormPage | undefined>,
): HiddenRoute<Editor>['answer'] {
  return async (context, request, ids) => {
    const { manage } = context
    const files = await context.filesOf(ids)
    const person = await manage.site.service.sessions.person(request, ids.workspace)
    const record = await findProject(manage.store.database, ids.workspace, ids.project)
    const mayEdit = record && (context.isForAll || (person && edits(person, record)))
    // A form keeps its texts; a reader learns how to get the right. Without files, no one edits the guide here.
    if (!files || !mayEdit)
      return (await unsavedReply(context, request, ids, person)) ?? (files && lacking(context, request, ids, person))
    const guide = await managedGuide(manage, { person, record })
    const visit = { context, request, person, record, files, guide, words: guide.words }
    const page = await open(visit, ids)
    return page && (request.method === 'POST' ? answerForm(visit, page) : layOut(visit, await page.show()))
  }
}

/** Leads readers of the guide to the sign-in, and back; a person who may not edit learns whom to ask. */
function lacking({ manage: { site } }: Editor, request: Request, ids: Ids, person: Person | undefined) {
  const reply = async () => {
    const { workspace } = ids
    const query = new URLSearchParams({ workspace, return: site.here(request.path) })
    if (!person && offersSignin(site.service.signins, workspace)) return leadTo(site.here(`/-/signin?${query}`))
    const { edit, pages, lang } = readerWords(request)
    const introduction = await introductionOf(site, workspace)
    const account = person ?? (await site.service.refusedPerson(request, workspace))
    const text = html`<p>${account ? edit.denied : edit.unknown}</p>\n`
    return unshared(standalonePage(site.assets, 403, { title: pages.edit, text, lang, introduction }))
  }
  return withAccess(site, request, { ref: ids, reply })
}

/**
 * Reads and answers a form that a page of this service sent to this person. Its files last as long as the answer takes;
 * all forms together have a limit.
 */
async function answerForm(visit: Visit, page: FormPage): Promise<Reply | undefined> {
  const { request, context, person } = visit
  const { show, answer, undo = commit => undone(visit, commit) } = page
  const { manage, room } = context
  const { url } = manage.site
  using share = room.shareOf(person?.subject ?? '')
  // The folder is only made for a form with files, and removed at the end.
  await using resources = new AsyncDisposableStack()
  const folder = once(async () => resources.use(await makeTemporaryFolder()).path)
  const upload = request.upload && share.counted(request.upload)
  const { fields, files = [] } = (await receiveOwnForm(url, { ...request, ...(upload && { upload }) }, folder)) ?? {}
  if (!fields) return foreignForm(manage, request)
  const isAsked = fields.get('do') === RESTORE
  if (isAsked || !equalsInConstantTime(fieldText(fields, 'token'), tokenOf(visit)))
    return await showAgain(visit, await show(fields), isAsked)
  const isUndo = fields.get('do') === 'undo'
  const answered = await (isUndo ? undo(fieldText(fields, 'commit')) : answer(fields, files))
  return await (answered.ok ? layOut(visit, answered.value) : layOut(visit, await show(fields), answered.problem))
}

/** Undoes a save of the files of the guide. */
async function undone(visit: Visit, commit: string): ReturnType<FormPage['answer']> {
  return savedReply(visit, visit.context.manage.site.here(visit.request.path), await undoSave(visit, commit))
}

/** Shows a form again with its fields: on demand, or after a new sign-in, for which it has no token yet. */
async function showAgain(visit: Visit, page: Page | Reply | undefined, isAsked: boolean): Promise<Reply | undefined> {
  const reply = await layOut(visit, page, isAsked ? undefined : visit.words.edit.again)
  return reply && { ...reply, status: isAsked ? 200 : 403 }
}

/** Replies with a page in the layout of its guide. Only the person who edits sees it. */
async function layOut(visit: Visit, page: Page | Reply | undefined, refusal?: Html | Word): Promise<Reply | undefined> {
  // Without a title, it is a reply already.
  if (!page || !('title' in page)) return page
  const { context, guide, request, words } = visit
  const { title, main, problem = refusal, status = problem === undefined ? 200 : 422, id, nonce } = page
  const path = context.manage.site.here(request.path)
  const names = { new: words.edit.newPage, upload: words.edit.upload, ...listNames(words) }
  const links = Object.entries(names).map(([below, name]) => ({ path: editAddress(visit, `-/${below}`), name }))
  await readEditScript()
  const made = await guidePage(guide, {
    title: `${title}`,
    kind: 'edit',
    below: undefined,
    path,
    tabs: html`<nav class="subnav" aria-label="${words.pages.edit}"><ul>
${links.map(link => navigationItem(link, path))}</ul></nav>
`,
    main: html`<article class="prose edit" data-words="${scriptWords(words)}"${request.method === 'POST' && html` data-unsaved`}><h1>${title}</h1>
${resultHtml(problem, undefined)}${await brokenHtml(visit)}${main}</article>`,
    isWide: true,
    referrer: 'same-origin',
    ...withoutUndefined({ id, nonce }),
  })
  return withEditorCookie(context, request, { ...ownPage(await withFonts(guide, made)), status })
}

/** The words of the script of the editor, as JSON. */
function scriptWords({ edit, forms }: Words): string {
  const { note, tip, important, warning, caution } = forms
  const script = { ...edit.script, note, tip, important, warning, caution, preview: edit.preview }
  return JSON.stringify(Object.fromEntries(Object.entries(script).map(([key, word]) => [key, `${word}`])))
}

/** Says that the guide cannot be imported, with the place of the error, and the button that undoes the save with it. */
async function brokenHtml(visit: Visit): Promise<Html | undefined> {
  const { context, files, record, words } = visit
  const { edit } = words
  const failure = context.manage.importFailure(record)
  if (failure === undefined) return undefined
  const { broughtBy } = (await files.state?.()) ?? {}
  const undo = html`<input type="hidden" name="commit" value="${broughtBy}">${button('undo', edit.undo)}`
  return html`<aside class="result warned"><p>${edit.refusals.broken} ${inEnglish(words, failure)}</p>
${broughtBy !== undefined && formHtml(tokenOf(visit), undo)}</aside>
`
}

/** An input of one line, or of a file, with its label above. */
export function inputField(name: string, label: Html | Word, attributes: Html): Html {
  return html`<p class="field"><label for="${name}">${label}</label> <input id="${name}" name="${name}" ${attributes} autocomplete="off"></p>\n`
}

/** The attribute of a form with a file. */
export const UPLOAD = html` enctype="multipart/form-data"`

/** The token in the forms of a visitor. In `dev`, only this machine sends forms. */
export function tokenOf({ context, person }: Pick<Visit, 'context' | 'person'>): string {
  return formToken(context.manage, person ?? { id: '', subject: 'dev' })
}

/** Leads to a page after a save, whose result it shows: `?saved={hash}&at={milliseconds}`. */
export function savedReply<Problem>(
  { context: { manage } }: Pick<Visit, 'context'>,
  address: string,
  saved: Result<string | undefined, Problem>,
  more = {},
): Result<Reply, Problem> {
  if (!saved.ok) return saved
  const query = new URLSearchParams({ ...more, saved: saved.value ?? '', at: `${manage.store.clock.now()}` })
  return ok(unshared(redirect(303, `${address}?${query}`)))
}

/** The address of a page of the editor, as browsers see it. */
export function editAddress({ context, record }: Pick<Visit, 'context' | 'record'>, below: string): string {
  return context.manage.site.here(`/${record.workspace}/${record.project}/-/edit/${encodeURI(below)}`)
}

/** The page of the latest draft that has an address, perhaps as an earlier one. */
export async function pageAt(visit: Visit, id: string): Promise<GuidePage | undefined> {
  const pages = await (await draftOf(visit)).publication.content.pages()
  return pages.values().find(page => page.id === id || page.aliases?.some(alias => alias === id))
}

/** The guide as it was imported last. */
export function draftOf({ context: { manage }, ...visit }: Visit): Promise<Guide> {
  return isWaiting(visit.record) ? draftGuide(manage, visit) : managedGuide(manage, visit)
}
