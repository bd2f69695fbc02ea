import { parse } from 'yaml'
import { pagePath } from '#brand/edit-link.ts'
import { HOME_PAGE } from '#brand/page.ts'
import { foldersAbove } from '#brand/portable-paths.ts'
import type { ReferenceTargets } from '#intake/appearance.ts'
import { parsedJson } from '#platform/base/object.ts'
import { attempt, ok } from '#platform/base/result.ts'
import type { Reply } from '#platform/exchange/message.ts'
import type { SentFile } from '#platform/exchange/own-form.ts'
import { redirect } from '#platform/exchange/reply.ts'
import { mergedText, type Passage, passagesOf } from '#publishing/git/edit/merge.ts'
import { type Html, html, type Word } from '#site/html.ts'
import type { Words } from '#site/words/words.ts'
import { isWaiting } from '#store/catalogue/catalogue.ts'
import { button, formHtml, unshared } from '../../manage/form.ts'
import { foreignForm } from '../../manage/refused-request.ts'
import { fieldsOfFile, inEnglish } from '../fields.ts'
import { type EditedText, openText } from '../source/edited-text.ts'
import type { Visit } from './context.ts'
import { type FormState, fieldsHtml, textHtml } from './form-html.ts'
import { BODY, partOf, REMOVE, type Sent, sentTexts, textOf } from './form-parts.ts'
import { textOfForm, withAlias } from './form-text.ts'
import { changesOfMove } from './moved-page.ts'
import { previewReply, sourceData } from './preview.ts'
import { lockOf, protectedChange } from './protected-fields.ts'
import { addedErrors, readFile, saveAlone, saveChanges } from './save.ts'
import { savedHtml } from './saved-state.ts'
import { PICTURES, placeNote, withPictures } from './sent-picture.ts'
import { listNames, type Target, targetOf } from './target.ts'
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

/** The page on which people edit a file of a guide, and the replies to its form. */
export const editReply = guideRoute((visit, { page }) => {
  const target = targetOf(visit.files.paths, page)
  return {
    show: async sent => {
      const form = target && sent?.has('save') && sentForm(target, sent)
      if (form) return { ...(await editPage(visit, form)), status: 409 }
      return target ? openPage(visit, target, sent && 409) : movedReply(visit, page)
    },
    answer: async (sent, files) => (target ? answerForm(visit, target, sent, files) : ok(undefined)),
  }
})

/** The page with the file as it is now. */
async function openPage(visit: Visit, target: Target, status?: number): Promise<Page | Reply | undefined> {
  const { words } = visit
  const read = await readFile(visit, target.path)
  const base = read.ok && read.value ? utf8(read.value) : ''
  if (base === undefined || !read.ok) {
    const title = words.edit.title({ page: await nameOf(visit, { target }) })
    return { title, problem: read.ok ? words.edit.encoding : read.problem }
  }
  if (!read.value && target.id !== undefined) return (await movedReply(visit, target.id)) ?? newPage(visit, target)
  const saved = status ? undefined : await savedHtml(visit, target)
  return { ...(await editPage(visit, { target, opened: openText(target.kind, base), base, saved })), status }
}

/** The form of a page that does not exist yet, whose title is in the address; undefined without one. */
function newPage(visit: Visit, target: Target): Promise<Page> | undefined {
  const title = new URLSearchParams(visit.request.query).get('title')
  if (title === null) return undefined
  const sent = new Map([
    ['/title', [title]],
    [BODY, [`# ${title}`]],
  ])
  return editPage(visit, { target, opened: openText('page', ''), base: '', sent })
}

/** Whether a form is that of a page that does not exist yet. */
function isNew({ target, base }: Pick<FileForm, 'target' | 'base'>): boolean {
  return target.id !== undefined && base === ''
}

/** Leads from the earlier address of a page to its new one, with the result of the save that moved it. */
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

/** The form as it was sent, with the version that its person opened; undefined if this is missing. */
function sentForm(target: Target, sent: URLSearchParams): SentFileForm | undefined {
  const [base, shown] = [parsedJson(sent.get('base') ?? ''), parsedJson(sent.get('opened') ?? '')]
  if (typeof base !== 'string') return undefined
  const opened = openText(target.kind, typeof shown === 'string' ? shown : base)
  const texts = withAlias(target, opened, sentTexts(sent))
  return { target, opened, sent: texts, base, saveId: sent.get('save') ?? '', summary: sent.get('summary') ?? '' }
}

async function answerForm(visit: Visit, target: Target, sent: URLSearchParams, files: readonly SentFile[]): Answer {
  const { context, guide, request, words } = visit
  const form = sentForm(target, sent)
  const action = sent.get('do')
  // A page that does not exist yet is below one that may.
  const shown = form && isNew(form) ? target.shown.slice(0, target.shown.lastIndexOf('/')) : target.shown
  if (action === 'cancel')
    return ok(unshared(redirect(303, guide.site.paths.below(guide.publication.record, shown) || '/')))
  const isDeletion = action === 'delete'
  if (!form || (isDeletion && !(mayDelete(target) && sent.get('sure') === 'yes')))
    return ok(foreignForm(context.manage, request))
  const { base, opened, sent: texts } = form
  if (isDeletion) {
    const changes = [{ path: target.path, before: Buffer.from(base), after: undefined }]
    const summary = `${words.edit.removed({ page: await nameOf(visit, { target, opened: openText('page', base) }) })}`
    const deleted = await saveAlone(visit, changes, { summary, conflict: words.edit.conflict })
    return savedReply(visit, editAddress(visit, HOME_PAGE), deleted)
  }
  if (action === 'preview') return ok(await previewReply(visit, target, texts))
  const written = textOfForm(words, { kind: target.kind, opened, sent: texts }, base, await targetsOf(visit))
  if (written.ok) {
    const kept = protectedChange(visit, target, [base, written.value], sent)
    if (!kept) return saveText(visit, form, written.value, files)
    return ok({ ...(await editPage(visit, { ...form, ...kept })), problem: kept.problem })
  }
  const { problem, problems = new Map() } = written.problem
  const why = problem === undefined ? words.edit.invalid : html`${words.edit.nothingSaved} ${problem}`
  return ok({ ...(await editPage(visit, { ...form, problems })), problem: why })
}

/** What settings may refer to, in the latest draft. */
async function targetsOf(visit: Visit): Promise<ReferenceTargets> {
  const { content } = (await draftOf(visit)).publication
  const [colors, types, files] = [await content.colors(), await content.types(), await content.files()]
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
async function saveText(visit: Visit, form: FileForm, written: string, files: readonly SentFile[]): Answer {
  const { words, context, request } = visit
  const { target, base } = form
  const { path, kind } = target
  const pictures = await withPictures(visit, path, written, kind === 'page' ? files : [])
  if (!pictures.ok) return ok({ ...(await editPage(visit, form)), problem: pictures.problem })
  const { text, isCleaned } = pictures.value
  const tooLarge = html`${words.edit.nothingSaved} ${inEnglish(words, 'The text is larger than 1 MiB.')}`
  if (Buffer.byteLength(text) > Math.max(MAX_TEXT_BYTES, Buffer.byteLength(base)))
    return ok({ ...(await editPage(visit, form)), problem: tooLarge })
  const before = base === '' ? undefined : Buffer.from(base)
  const after = before || text !== '' ? Buffer.from(text) : undefined
  const summary = form.summary?.trim() || (await summaryOf(visit, form, text))
  const changes = [{ path, before, after }, ...pictures.value.changes, ...(await changesOfMove(visit, target, text))]
  const saved = await saveChanges(visit, changes, { ...form, summary })
  if (!saved.ok) return ok({ ...(await editPage(visit, form)), problem: saved.problem, status: 409 })
  if (saved.value.outcome === 'saved')
    return savedReply(visit, context.manage.site.here(request.path), ok(saved.value.commit), placeNote(isCleaned))
  if (saved.value.outcome === 'invalid') {
    const { findings } = saved.value
    const problems = new Map(findings.map(({ rule, message }) => [FIELDS[rule] ?? '', inEnglish(words, message)]))
    return ok({ ...(await editPage(visit, { ...form, problems })), problem: addedErrors(visit, findings) })
  }
  const conflict = saved.value.files.find(file => file.path.endsWith(path))
  if (!conflict) return ok({ ...(await editPage(visit, form)), problem: words.edit.conflict, status: 409 })
  const theirs = (conflict.theirs && utf8(conflict.theirs)) ?? ''
  const passages = passagesOf(base, text, theirs)
  const opened = openText(kind, passages.map(passage => mergedText(passage) ?? passage.mine).join(''))
  const merged = { ...form, sent: new Map(), opened, base: theirs, conflict: conflictHtml(words, passages) }
  return ok({ ...(await editPage(visit, merged)), status: 409 })
}

/** The field of a page whose value another page has. */
const FIELDS: Partial<Record<string, string>> = { 'id-taken': '/id' }

/** Larger pages and lists are not imported. */
const MAX_TEXT_BYTES = 1 << 20

/** Names the page, or the entries of a list, that a save changes: *Colours: Ink*; empty for changes of comments. */
async function summaryOf(visit: Visit, form: FileForm, text: string): Promise<string> {
  const name = await nameOf(visit, form)
  if (isNew(form)) return `${visit.words.edit.added({ page: name })}`
  if (form.target.kind === 'page') return `${visit.words.fields.pages}: ${name}`
  const [before, after] = [entriesOf(form.base), entriesOf(text)]
  const names = new Set([...before.keys(), ...after.keys()])
  const changed = [...names].filter(each => before.get(each) !== after.get(each))
  return changed.length === 0 ? '' : `${name}: ${changed.join(', ')}`
}

/** The entries of a list or of settings as JSON, keyed by name. */
function entriesOf(yaml: string): ReadonlyMap<string, string> {
  const list = attempt(() => parse(yaml)) ?? {}
  const names = Array.isArray(list) ? list.map(entry => `${entry?.name ?? entry?.id}`) : Object.keys(list)
  return new Map(Object.values(list).map((entry, at) => [`${names[at]}`, JSON.stringify(entry)]))
}

/** The form of a file. */
type FileForm = {
  target: Target
  /** The text that the form shows. */
  opened: EditedText
  /** The text of the branch that the new text is compared with. */
  base: string
  /** The fields that were sent, which stay in the form. */
  sent?: Sent
  saveId?: string
  summary?: string
  /** Problems by the names of their fields. */
  problems?: ReadonlyMap<string, Word>
  /** The result of the last save. */
  saved?: Html | undefined
  /** What others changed at the same places. */
  conflict?: Html
}

type SentFileForm = FileForm & { sent: Sent }

async function editPage(visit: Visit, form: FileForm): Promise<Page> {
  const { context, words, record } = visit
  const { edit } = words
  const { target, base, saved, conflict } = form
  const nonce = context.newId()
  const differs = !saved && !conflict && isWaiting(record) && html`<p class="quiet">${edit.differs}</p>\n`
  const main = html`${conflict}${differs}${await fileForm(visit, form, nonce)}${mayDelete(target) && base !== '' && deletion(visit, base)}`
  return { title: edit.title({ page: await nameOf(visit, form) }), main, id: target.id, nonce }
}

/** The name of a list, or of a page: its title, else the name in the guide, else its path. */
async function nameOf(
  { guide, words }: Visit,
  { target, opened, sent }: Pick<FileForm, 'target' | 'sent'> & { opened?: EditedText },
): Promise<string> {
  if (target.kind !== 'page') return `${listNames(words)[target.kind]}`
  const pages = await guide.publication.content.pages()
  const title = sent?.get('/title')?.[0] ?? textOf(partOf({ name: 'title' }, opened?.yaml?.root))
  return title || pages.values().find(({ id }) => id === target.id)?.name || target.path
}

async function fileForm(visit: Visit, form: FileForm, nonce: string): Promise<Html> {
  const { context, guide, words } = visit
  const { edit } = words
  const { target, opened, base, sent, problems = new Map(), saveId = context.newId(), summary = '', saved } = form
  const { path, id } = target
  const text = sent?.get(BODY)?.[0] ?? opened.body ?? ''
  const source = id !== undefined && (await sourceData(visit, path, text, nonce))
  const asked = new URLSearchParams(id === undefined ? {} : { page: id, ...(isNew(form) && { draft: 'yes' }) })
  const ofText =
    id !== undefined &&
    html`<a class="button" href="${editAddress(visit, '-/picture')}?${asked.toString()}" data-picture${isNew(form) && html` hidden`}>${edit.addPicture}</a> <button name="do" value="preview" formtarget="preview" class="quiet">${edit.preview}</button> `
  const isMerged = id === undefined && opened.file !== base
  const merged = isMerged && html`<input type="hidden" name="opened" value="${JSON.stringify(opened.file)}">\n`
  const open = new Set([...problems.keys()].flatMap(foldersAbove))
  const state = {
    words,
    sent: sent ?? new Map(),
    problems,
    opened: open,
    removed: new Set(sent?.get(REMOVE)),
    lockOf: (name: string) => lockOf(visit, target, name),
  }
  const lang = (await guide.publication.content.lang()) ?? 'en'
  const fields = html`<input type="hidden" name="base" value="${JSON.stringify(base)}">
<input type="hidden" name="save" value="${saveId}">
${merged}${valuesHtml(state, form)}${opened.body !== undefined && textHtml(state, text, lang, source)}${isNew(form) && picturesField(words)}
${inputField('summary', edit.summary, html`value="${summary}" maxlength="72"`)}<p class="actions">${button('save', edit.save, { isPrimary: true })} ${ofText}<button name="do" value="cancel" formnovalidate class="quiet">${edit.cancel}</button> ${saved}</p>`
  return formHtml(tokenOf(visit), fields, html` id="edit" data-edit="${path}"${isNew(form) && UPLOAD}`)
}

/** The pictures of a page that does not exist yet. The script has them in a dialog, and keeps them if the page is refused. */
function picturesField({ edit }: Words): Html {
  const choice = inputField('pictures', edit.pictures, html`type="file" accept="${PICTURES.join(',')}" multiple`)
  return html`<noscript>${choice}<p><small>${edit.picturesHint}</small></p></noscript>\n`
}

/** The fields of the values in a file, of which a page shows the less usual ones on demand; why there are none. */
function valuesHtml(state: FormState, { target, opened: { yaml, problem } }: FileForm): Html | Html[] {
  const { words, problems } = state
  if (problem !== undefined) return html`<p class="quiet">${words.edit.asText} ${inEnglish(words, problem)}</p>\n`
  const fields = fieldsOfFile(target.kind, words)
  if (target.kind !== 'page') return fieldsHtml(state, fields, yaml?.root)
  const more = fields.filter(({ name }) => !FIRST.includes(name))
  const isOpen = more.some(({ name }) => problems.keys().some(each => each.startsWith(`/${name}`)))
  return html`${fieldsHtml(
    state,
    fields.filter(field => !more.includes(field)),
    yaml?.root,
  )}<details class="fields"${isOpen && html` open`}><summary>${words.edit.more}</summary>
${fieldsHtml(state, more, yaml?.root)}</details>
`
}

const FIRST: readonly string[] = ['title', 'description', 'cover']

/** Both versions of the places that two people changed, side by side. Browsers save only once the person decided. */
function conflictHtml({ edit }: Words, passages: readonly Passage[]): Html {
  const rows = passages
    .filter(passage => mergedText(passage) === undefined)
    .map(
      ({ mine, theirs }) =>
        html`<tr><td><pre dir="auto">${mine}</pre></td><td><pre dir="auto">${theirs}</pre></td></tr>\n`,
    )
  return html`<div class="result warned" tabindex="-1" autofocus role="alert"><p>${edit.conflict}</p>
<table><thead><tr><th scope="col">${edit.mine}</th><th scope="col">${edit.theirs}</th></tr></thead>
<tbody>
${rows}</tbody></table>
<p><label><input type="checkbox" name="decided" form="edit" required> ${edit.decided}</label></p></div>
`
}

/** Removes the page, once its box is ticked. */
function deletion(visit: Visit, base: string): Html {
  const { edit } = visit.words
  const fields = html`<input type="hidden" name="base" value="${JSON.stringify(base)}">
<p><label><input type="checkbox" name="sure" value="yes" required> ${edit.sure}</label></p>
<p>${button('delete', edit.deletePage)}</p>`
  return html`<details class="fields"><summary>${edit.deletePage}</summary>
${formHtml(tokenOf(visit), fields)}</details>
`
}
