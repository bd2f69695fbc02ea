import { join } from 'node:path/posix'
import { pagePath } from '#brand/edit-link.ts'
import type { Finding } from '#brand/finding.ts'
import { HOME_PAGE } from '#brand/page.ts'
import type { ReferenceTargets } from '#intake/appearance.ts'
import { settingsOwner } from '#intake/project/protected-settings.ts'
import { parsedJson } from '#platform/base/object.ts'
import { attempt, failed, ok, type Result } from '#platform/base/result.ts'
import { fieldText } from '#platform/base/text.ts'
import type { Reply } from '#platform/exchange/message.ts'
import type { SentFile } from '#platform/exchange/own-form.ts'
import { redirect } from '#platform/exchange/reply.ts'
import type { Conflict } from '#publishing/git/edit/merge-files.ts'
import { manages } from '#serving/access/session/rights.ts'
import { Html, html, type Word } from '#site/html.ts'
import type { Words } from '#site/words/words.ts'
import { isWaiting } from '#store/catalogue/catalogue.ts'
import { button, formHtml, unshared } from '../../manage/form.ts'
import { foreignForm } from '../../manage/refused-request.ts'
import { inEnglish } from '../fields.ts'
import { runTask, type Visit } from './context.ts'
import { type MadeForm, textHtml } from './form-html.ts'
import { BODY, type Sent, sentTexts } from './form-parts.ts'
import type { ChangedText } from './form-text.ts'
import { historyLink } from './history.ts'
import { changesOfMove } from './moved-page.ts'
import { previewReply, sourceData } from './preview.ts'
import type { SettingsRights } from './protected-fields.ts'
import { errorsHtml, readFile, saveAlone, saveChanges } from './save.ts'
import { savedHtml } from './saved-state.ts'
import { PICTURES, placeNote, withPictures } from './sent-picture.ts'
import { type Target, targetOf } from './target.ts'
import { targetName } from './target-name.ts'
import {
  draftOf,
  editAddress,
  type FormPage,
  guideRoute,
  inputField,
  type Page,
  pageAt,
  savedReply,
  tokenOf,
  UPLOAD,
} from './visit.ts'

/**
 * The page on which people edit a file of a guide, and the replies to its form. A form keeps the text of the file in the
 * branch (`base`) from when it was opened. A save merges the changes from that text into the branch, so that it can also
 * succeed after others have changed the file.
 */
export const editReply = guideRoute((visit, { page }) => {
  const target = targetOf(visit.files.paths, page)
  return {
    show: async sent => {
      // A form that was sent and not accepted is shown again with its texts. Without its hidden fields, the file is shown.
      const form = target && sent?.has('save') && sentForm(target, sent)
      if (form) return { ...(await editPage(visit, form)), status: 409 }
      return target ? openPage(visit, target, sent && 409) : movedReply(visit, page)
    },
    answer: async (sent, files) => (target ? answerForm(visit, target, sent, files) : ok(undefined)),
  }
})

/** The page with the file as it is now; for a page that has moved, a redirect, and for a new one, an empty form. */
async function openPage(visit: Visit, target: Target, status?: number): Promise<Page | Reply | undefined> {
  const { words, context } = visit
  context.texts.warm()
  const current = await currentText(visit, target.path)
  if (!current.ok) {
    const title = words.edit.title({ page: await targetName(visit, target) })
    return { title, problem: current.problem }
  }
  if (current.value === undefined && target.id !== undefined)
    return (await movedReply(visit, target.id)) ?? newPage(visit, target)
  const saved = status ? undefined : await savedHtml(visit, target)
  const base = current.value ?? ''
  return { ...(await editPage(visit, { target, opened: base, base, saved })), status }
}

/** The text of a file as it is now; undefined without a file. The problem is why people cannot edit it here. */
async function currentText(visit: Visit, path: string): Promise<Result<string | undefined, Word>> {
  const { words } = visit
  const read = await readFile(visit, path)
  if (!read.ok) return read
  if (read.value === undefined) return ok(undefined)
  if (read.value.length > MAX_TEXT_BYTES) return failed(tooLarge(words))
  const text = utf8(read.value)
  return text === undefined ? failed(words.edit.encoding) : ok(text)
}

/** Larger pages and lists are not imported. */
const MAX_TEXT_BYTES = 1 << 20

/** The sentence about a text that is too large. */
function tooLarge(words: Words): Word {
  return inEnglish(words, 'The text is larger than 1 MiB.')
}

/** The form of a page that does not exist yet, whose title is in the address; undefined without one. */
function newPage(visit: Visit, target: Target): Promise<Page> | undefined {
  const title = new URLSearchParams(visit.request.query).get('title')
  if (title === null) return undefined
  const sent = new Map([
    ['/title', [title]],
    [BODY, [`# ${title}`]],
  ])
  return editPage(visit, { target, opened: '', base: '', sent })
}

/** Whether a form is that of a page that does not exist yet. */
function isNew({ target, base }: Pick<FileForm, 'target' | 'base'>): boolean {
  return target.id !== undefined && base === ''
}

/**
 * A redirect from the earlier address of a page to its new one, with the result of the save that moved it; undefined for
 * any other address.
 */
async function movedReply(visit: Visit, id: string): Promise<Reply | undefined> {
  const page = await pageAt(visit, id)
  const { query } = visit.request
  const isMoved = page && page.id !== id
  return isMoved ? unshared(redirect(303, `${editAddress(visit, page.id)}${query && `?${query}`}`)) : undefined
}

/** The text of bytes in UTF-8 with its byte order mark; undefined for other bytes, and for NUL, which HTML cannot show. */
function utf8(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  return attempt(() => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
}

type Answer = ReturnType<FormPage['answer']>

/** Does what the button of a form says (`do`): cancel, delete, preview, or else save. */
async function answerForm(visit: Visit, target: Target, sent: URLSearchParams, files: readonly SentFile[]): Answer {
  const { context, guide, request, words } = visit
  const form = sentForm(target, sent)
  const action = sent.get('do')
  // A cancelled new page `/logo/misuse` does not exist, so the person goes to `/logo`.
  const shownBefore = form && isNew(form) ? target.shown.slice(0, target.shown.lastIndexOf('/')) : target.shown
  if (action === 'cancel')
    return ok(unshared(redirect(303, guide.site.paths.below(guide.publication.record, shownBefore) || '/')))
  const isDeletion = action === 'delete'
  if (!form || (isDeletion && !(mayDelete(target) && sent.get('sure') === 'yes')))
    return ok(foreignForm(context.manage, request))
  const { base, sent: texts } = form
  if (isDeletion) {
    const changes = [{ path: target.path, before: Buffer.from(base), after: undefined }]
    const name = await targetName(visit, target, (await madeForm(visit, form))?.title)
    const summary = `${words.edit.removed({ page: name })}`
    const deleted = await saveAlone(visit, changes, { summary, conflict: words.edit.conflict })
    return savedReply(visit, editAddress(visit, HOME_PAGE), deleted)
  }
  if (action === 'preview') return ok(await previewReply(visit, target, texts))
  return saveForm(visit, form, files)
}

/** The form as it was sent, with the version that its person opened; undefined if this is missing. */
function sentForm(target: Target, sent: URLSearchParams): SentFileForm | undefined {
  const base = openedText(sent.get('base'))
  const opened = openedText(sent.get('opened') ?? sent.get('base'))
  if (base === undefined || opened === undefined) return undefined
  const saveId = fieldText(sent, 'save')
  const summary = fieldText(sent, 'summary').slice(0, MAX_SUMMARY)
  return { target, opened, base, sent: sentTexts(sent), saveId, summary, sure: sent.get('sure') }
}

/** Browsers send at most 72. */
const MAX_SUMMARY = 1000

/** A text in a hidden field; undefined if no page of the editor had it. */
function openedText(field: string | null): string | undefined {
  const text = field !== null && field.length <= MAX_FIELD ? parsedJson(field) : undefined
  return typeof text === 'string' && Buffer.byteLength(text) <= MAX_TEXT_BYTES ? text : undefined
}

/** The longest JSON of a text, in which each character is an escape sequence. */
const MAX_FIELD = 6 * MAX_TEXT_BYTES + 2

/** Puts the form into its file and saves this; or shows the form again, with its problems or its question. */
async function saveForm(visit: Visit, form: SentFileForm, files: readonly SentFile[]): Answer {
  const { words } = visit
  // Undefined if that takes too long; else a result.
  const changed = await changeForm(visit, form)
  if (changed?.ok) return saveText(visit, form, changed.value, files)
  if (!changed) return ok({ ...(await editPage(visit, form)), problem: notSaved(words, words.edit.tooLong) })
  const { problem, problems, question } = changed.problem
  const again = { ...form, problems, ...(question !== '' && { conflict: new Html(question) }) }
  return ok({ ...(await editPage(visit, again)), problem: new Html(problem) })
}

/**
 * The new text of the file of a form, or its problems; undefined if it takes too long. `found` are errors of the new text in
 * its guide that are known already, for their places in the form.
 */
async function changeForm(visit: Visit, form: SentFileForm, found?: readonly Finding[]) {
  const { target, opened: file, base, sent, sure } = form
  const lang = await visit.guide.publication.content.lang()
  const targets = await targetsOf(visit, target)
  return runTask(visit, 'change', { lang, target, file, base, sent, rights: rightsOf(visit), sure, targets, found })
}

function notSaved({ edit }: Words, why: Word): Html {
  return html`${edit.nothingSaved} ${why}`
}

/** The rights of a visit. In `dev`, everybody may change who reads a guide. */
function rightsOf({ context, person, record, files }: Visit): SettingsRights {
  const mayManage = context.isForAll || (person !== undefined && manages(person, record))
  return { ...settingsOwner(record.project, files.paths.folder), mayManage }
}

/** What settings may refer to, in the latest draft. */
async function targetsOf(visit: Visit, { kind }: Target): Promise<ReferenceTargets> {
  if (kind !== 'project') return { colors: [], types: [], files: [], pages: [] }
  const { content } = (await draftOf(visit)).publication
  const colors = await content.colors()
  const types = await content.types()
  const files = await content.files()
  const pages = Array.from((await content.pages()).values(), ({ id }) => ({
    id,
    source: pagePath(visit.files.paths, id),
  }))
  return { colors, types, files: [...files.values()], pages }
}

/** Whether people may delete a file: a page, except the home page. */
function mayDelete({ id }: Target): boolean {
  return id !== undefined && id !== HOME_PAGE
}

/** Saves the text of a form, or shows it again: with the problem, or next to the changes of others of the same places. */
async function saveText(
  visit: Visit,
  form: SentFileForm,
  { text: written, changed, id }: ChangedText,
  files: readonly SentFile[],
): Answer {
  const { words, context, request } = visit
  const { target, base } = form
  const { path, kind } = target
  const again = (problem: Html | Word, status?: number) => shownAgain(visit, form, problem, status)
  const pictures = await withPictures(visit, path, written, kind === 'page' ? files : [])
  if (!pictures.ok) return again(pictures.problem)
  const { text, isCleaned } = pictures.value
  if (Buffer.byteLength(text) > MAX_TEXT_BYTES) return again(notSaved(words, tooLarge(words)))
  // Undefined stands for no file: an empty base is a file that does not exist yet.
  const before = base === '' ? undefined : Buffer.from(base)
  const after = before || text !== '' ? Buffer.from(text) : undefined
  const summary = form.summary.trim() || (await summaryOf(visit, form, changed))
  // One commit has the file, its new pictures, and the settings that name a page whose id changed.
  const changes = [{ path, before, after }, ...pictures.value.changes, ...(await changesOfMove(visit, target, id))]
  const saved = await saveChanges(visit, changes, { ...form, summary })
  if (!saved.ok) return again(saved.problem, 409)
  if (saved.value.outcome === 'saved')
    return savedReply(visit, context.manage.site.here(request.path), ok(saved.value.commit), placeNote(isCleaned))
  if (saved.value.outcome === 'invalid') return invalidPage(visit, form, saved.value.findings)
  return conflictPage(visit, form, saved.value.files, text)
}

/** Shows a form again with a problem above it. */
async function shownAgain(visit: Visit, form: SentFileForm, problem: Html | Word, status?: number): Answer {
  return ok({ ...(await editPage(visit, form)), problem, status })
}

/** Shows a form with the changes of others of the same places next to the text that was sent. */
async function conflictPage(visit: Visit, form: SentFileForm, conflicts: readonly Conflict[], mine: string): Answer {
  const { words } = visit
  const { target, base } = form
  // Others have changed the file of the form, or only one of the other files of the commit, for which no form is shown.
  const conflict = conflicts.find(({ path }) => path.endsWith(target.path))
  if (!conflict || (conflict.theirs ?? []).length > MAX_TEXT_BYTES)
    return shownAgain(visit, form, words.edit.conflict, 409)
  const theirs = (conflict.theirs && utf8(conflict.theirs)) ?? ''
  const merged = await runTask(visit, 'conflict', { base, mine, theirs })
  if (!merged) return shownAgain(visit, form, notSaved(words, words.edit.tooLong), 409)
  const rows = conflictHtml(words, merged.rows)
  // The form now shows the merged text, and its next save is compared with what the others saved.
  const mergedForm = { ...form, sent: new Map(), opened: merged.text, base: theirs, conflict: rows }
  return ok({ ...(await editPage(visit, mergedForm)), status: 409 })
}

/** Shows a form again with the errors that its change would bring: those of its file at their fields, others with links. */
async function invalidPage(visit: Visit, form: SentFileForm, findings: readonly Finding[]): Answer {
  const path = join(visit.files.paths.folder, form.target.path)
  const findingsOfFile = findings.filter(finding => finding.path === path)
  // Makes the form's change again, only to learn at which fields the errors are.
  const changed = await changeForm(visit, form, findingsOfFile)
  const formProblem = changed && !changed.ok ? changed.problem : undefined
  const areAllHere = formProblem && findingsOfFile.length === findings.length
  const problem = areAllHere ? new Html(formProblem.problem) : errorsHtml(visit, findings)
  return ok({ ...(await editPage(visit, { ...form, problems: formProblem?.problems ?? new Map() })), problem })
}

/** Names the page, or the entries of a list, that a save changes: *Colours: Ink*; empty for changes of comments. */
async function summaryOf(visit: Visit, form: SentFileForm, changed: readonly string[]): Promise<string> {
  const { target, sent } = form
  const name = await targetName(visit, target, sent.get('/title')?.[0])
  if (isNew(form)) return `${visit.words.edit.added({ page: name })}`
  if (target.kind === 'page') return `${visit.words.fields.pages}: ${name}`
  return changed.length === 0 ? '' : `${name}: ${changed.join(', ')}`
}

/** The form of a file. */
type FileForm = {
  target: Target
  /** The text that the form shows. */
  opened: string
  /** The text of the branch that the new text is compared with. */
  base: string
  /** The fields that were sent, which stay in the form. */
  sent?: Sent
  saveId?: string
  summary?: string
  /** Problems as HTML, by the names of their fields. */
  problems?: ReadonlyMap<string, string>
  /** The result of the last save. */
  saved?: Html | undefined
  /** What others changed at the same places. */
  conflict?: Html
}

/** A form that was sent. `sure` are the settings that the person agreed to change (`protected-fields.ts`); null without. */
type SentFileForm = FileForm & { sent: Sent; summary: string; sure: string | null }

/** The page with the form of a file, and below it the form that deletes the page. */
async function editPage(visit: Visit, form: FileForm): Promise<Page> {
  const { context, words, record } = visit
  const { edit } = words
  const { target, base, saved, conflict } = form
  const made = await madeForm(visit, form)
  const title = edit.title({ page: await targetName(visit, target, made?.title) })
  if (!made) return { title, problem: edit.tooLong }
  const nonce = context.newId()
  // Says that the published guide differs from the draft, unless the page reports something more important.
  const differs = !saved && !conflict && isWaiting(record) && html`<p class="quiet">${edit.differs}</p>\n`
  const ofFile = base !== '' && html`${historyLink(visit, target)}${mayDelete(target) && deletion(visit, made)}`
  const main = html`${conflict}${differs}${await fileForm(visit, form, made, nonce)}${ofFile}`
  return { title, main, id: target.id, nonce }
}

/** The parts of a form that are as long as its file; undefined if they take too long to make. */
async function madeForm(visit: Visit, { target, opened, base, sent, problems }: FileForm) {
  const lang = await visit.guide.publication.content.lang()
  const shown = { sent: sent ?? new Map(), problems: problems ?? new Map(), rights: rightsOf(visit) }
  return runTask(visit, 'form', { lang, kind: target.kind, file: opened, base, ...shown })
}

/** The form of a file: hidden fields, the fields of its values, the text of a page, the summary, and the buttons. */
async function fileForm(visit: Visit, form: FileForm, made: MadeForm, nonce: string): Promise<Html> {
  const { context, guide, words } = visit
  const { edit } = words
  const { target, problems, saveId = context.newId(), summary = '', saved } = form
  const { path, id } = target
  const { fields, base, text } = made
  const source = id !== undefined && (await sourceData(visit, path, text?.plain ?? '', nonce))
  const pictureQuery = new URLSearchParams(id === undefined ? {} : { page: id, ...(isNew(form) && { draft: 'yes' }) })
  const textButtons =
    id !== undefined &&
    html`<a class="button" href="${editAddress(visit, '-/picture')}?${pictureQuery.toString()}" data-picture${isNew(form) && html` hidden`}>${edit.addPicture}</a> <button name="do" value="preview" formtarget="preview" class="quiet">${edit.preview}</button> `
  const textProblem = { words, problem: problems?.get(BODY) }
  const lang = (await guide.publication.content.lang()) ?? 'en'
  const inner = html`${new Html(base)}
<input type="hidden" name="save" value="${saveId}">
${new Html(fields)}${text && textHtml(textProblem, new Html(text.html), lang, source)}${isNew(form) && picturesField(words)}
${inputField('summary', edit.summary, html`value="${summary}" maxlength="72"`)}<p class="actions">${button('save', edit.save, { isPrimary: true })} ${textButtons}<button name="do" value="cancel" formnovalidate class="quiet">${edit.cancel}</button> ${saved}</p>`
  return formHtml(tokenOf(visit), inner, html` id="edit" data-edit="${path}"${isNew(form) && UPLOAD}`)
}

/** The pictures of a page that does not exist yet. The script has them in a dialog, and keeps them if the page is refused. */
function picturesField({ edit }: Words): Html {
  const choice = inputField('pictures', edit.pictures, html`type="file" accept="${PICTURES.join(',')}" multiple`)
  return html`<noscript>${choice}<p><small>${edit.picturesHint}</small></p></noscript>\n`
}

/** Both versions of the places that two people changed, side by side. Browsers save only once the person decided. */
function conflictHtml({ edit }: Words, rows: string): Html {
  return html`<div class="result warned" tabindex="-1" autofocus role="alert"><p>${edit.conflict}</p>
<table><thead><tr><th scope="col">${edit.mine}</th><th scope="col">${edit.theirs}</th></tr></thead>
<tbody>
${new Html(rows)}</tbody></table>
<p><label><input type="checkbox" name="decided" form="edit" required> ${edit.decided}</label></p></div>
`
}

/** Removes the page, once its box is ticked. */
function deletion(visit: Visit, { base }: MadeForm): Html {
  const { edit } = visit.words
  const fields = html`${new Html(base)}
<p><label><input type="checkbox" name="sure" value="yes" required> ${edit.sure}</label></p>
<p>${button('delete', edit.deletePage)}</p>`
  return html`<details class="fields"><summary>${edit.deletePage}</summary>
${formHtml(tokenOf(visit), fields)}</details>
`
}
