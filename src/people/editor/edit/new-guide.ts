import type { HiddenRoute } from '#brand/contract/route.ts'
import { isProjectId, slug } from '#brand/ids.ts'
import { starterFiles } from '#intake/starter/starter.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { fieldText, singleSpaced } from '#platform/base/text.ts'
import { redirect } from '#platform/exchange/reply.ts'
import { remove } from '#publishing/change-project.ts'
import type { FileChange } from '#publishing/git/edit/merge-files.ts'
import { editsAll, managesAll } from '#serving/access/session/rights.ts'
import { type Html, html, type Word } from '#site/html.ts'
import type { Words } from '#site/words/words.ts'
import { listProjects } from '#store/catalogue/catalogue.ts'
import { formHtml, unshared } from '../../manage/form.ts'
import type { EditedFiles, Editor, Visit } from './context.ts'
import { questionHtml } from './protected-fields.ts'
import { type Saving, saveAlone, undoSave } from './save.ts'
import { savedHtml } from './saved-state.ts'
import { type FormPage, guideRoute, inputField, savedReply, tokenOf } from './visit.ts'

/**
 * The form for a new guide, in the layout of the first guide of its workspace, and the reply to it: the guide is one
 * commit with the files of the starter. For everybody who may not make it, nothing is at this address.
 */
export const newGuideReply: HiddenRoute<Editor>['answer'] = async (context, request, ids) => {
  const { site, store } = context.manage
  const person = await site.service.sessions.person(request, ids.workspace)
  if (!context.isForAll && !(person && editsAll(person))) return undefined
  const records = await listProjects(store.database, ids.workspace)
  const files = await Promise.all(records.map(context.filesOf))
  const firstEdited = records[files.findIndex(each => each !== undefined)]
  const takenIds = records.map(({ project }) => project)
  // A brand folder that is itself a guide has no place for another one.
  const isSingle = files.some(each => each?.paths.folder === '')
  const reply = guideRoute(async visit => {
    const made = await madeGuide(visit)
    return {
      // After a save, the page says what became of the guide instead of showing the form.
      show: async sent => ({
        title: visit.words.manage.people.newGuide,
        main: isSingle ? adviceHtml(visit.words) : (!sent && (await madeHtml(visit, made))) || formOf(visit, sent),
      }),
      answer: async sent => (isSingle ? failed(visit.words.newGuide.taken) : makeGuide(visit, takenIds, sent)),
      undo: made && (commit => undoGuide(visit, made, commit)),
    }
  })
  return firstEdited && reply(context, request, { ...ids, project: firstEdited.project })
}

/** The advice to make another brand folder instead. */
function adviceHtml({ newGuide }: Words): Html {
  return html`<p>${newGuide.single({ command: html`<code dir="ltr">housestyle init</code>` })}</p>\n`
}

/** Commits the files of a new guide, unless a field is wrong or its address is taken. */
async function makeGuide(
  visit: Visit,
  takenIds: readonly string[],
  sent: URLSearchParams,
): ReturnType<FormPage['answer']> {
  const { context, request, words } = visit
  const fields = fieldsOf(visit, sent)
  if (!fields.ok) return fields
  const { name, id } = fields.value
  const conflict = words.newGuide.taken
  const files = takenIds.includes(id) ? undefined : await newFolder(visit, id)
  if (!files) return failed(conflict)
  const made = { ...visit, files, record: { workspace: visit.record.workspace, project: id } }
  const summary = `${words.edit.added({ page: name })}`
  const saved = await saveAlone(made, filesOf(fields.value), { summary, conflict })
  return savedReply(visit, context.manage.site.here(request.path), saved, { made: id })
}

type GuideFields = { name: string; id: string; visibility: 'public' | 'private' }

/** The name, the address and the visibility that a form has for a new guide. */
function fieldsOf(visit: Visit, sent: URLSearchParams): Result<GuideFields, Word> {
  const { newGuide, edit } = visit.words
  const name = singleSpaced(fieldText(sent, 'name'))
  const id = fieldText(sent, 'id').trim() || slug(name)
  if (name.length > MAX_NAME || !NAME.test(name)) return failed(newGuide.nameForm)
  if (!isProjectId(id)) return failed(newGuide.addressForm)
  if (sent.get('visibility') !== 'public') return ok({ name, id, visibility: 'private' })
  if (!mayOpen(visit)) return failed(newGuide.managersOnly)
  return sent.get('sure') === PUBLIC[0] ? ok({ name, id, visibility: 'public' }) : failed(edit.askFirst)
}

/** The files of a folder for a new guide; undefined if it exists, or if the service may not change it. */
async function newFolder({ context, record }: Visit, id: string): Promise<EditedFiles | undefined> {
  const root = await context.filesIn(record, '')
  const existing = await root?.read(id)
  // Reading a folder as a file is refused, so a refusal also means that something is there.
  const isTaken = existing?.ok ? existing.value !== undefined : existing?.problem.code === 'edit_refused'
  return isTaken ? undefined : context.filesIn(record, id)
}

/** The starter of a guide, without the settings of the workspace, which has them already. */
function filesOf({ name, id, visibility }: GuideFields): FileChange[] {
  const { 'workspace.yaml': _, ...starter } = starterFiles(name, id)
  return Object.entries(starter).map(([path, text]) => {
    const fileText = path === 'project.yaml' ? text.replace(/^visibility: .*$/m, `visibility: ${visibility}`) : text
    return { path, before: undefined, after: Buffer.from(fileText) }
  })
}

/** Whether the person may make a guide that everyone can read. In `dev`, everybody may. */
function mayOpen({ context, person }: Visit): boolean {
  return context.isForAll || (person !== undefined && managesAll(person))
}

/** The guide that was just made, which the address names: `?made={id}`. */
async function madeGuide(visit: Visit): Promise<Saving | undefined> {
  const project = fieldText(new URLSearchParams(visit.request.query), 'made')
  const files = isProjectId(project) ? await visit.context.filesIn(visit.record, project) : undefined
  return files && { ...visit, files, record: { workspace: visit.record.workspace, project } }
}

/** What became of the guide that was just made; undefined if the address names none. */
async function madeHtml(visit: Visit, made: Saving | undefined): Promise<Html | undefined> {
  const saved = made && (await savedHtml(made, { path: '', shown: '', open: visit.words.newGuide.open }))
  return saved && formHtml(tokenOf(visit), html`<p class="actions">${saved}</p>\n`)
}

/**
 * Undoes the save that made a guide, and removes what was imported from its folder, unless this has other files now, or the
 * guide comes from elsewhere.
 */
async function undoGuide(visit: Visit, made: Saving, commit: string): ReturnType<FormPage['answer']> {
  const { context, record, request } = visit
  const { site, store } = context.manage
  const current = await context.filesOf(made.record)
  const undone = await undoSave(made, commit)
  if (!undone.ok) return undone
  const root = await context.filesIn(record, '')
  const folder = await root?.read(made.record.project)
  // Whether the guide was imported from the folder that was made for it.
  const isFromFolder = current?.source === made.files.source && current?.paths.folder === made.files.paths.folder
  if (undone.value !== undefined && isFromFolder && folder?.ok) await remove(store, made.record, store.clock.date())
  await context.manage.refresh()
  return ok(unshared(redirect(303, site.here(request.path))))
}

/** The form for a new guide, with the fields that were sent. */
function formOf(visit: Visit, sent?: URLSearchParams): Html {
  const { newGuide, changes, files } = visit.words
  const [name, id, visibility] = ['name', 'id', 'visibility'].map(field => sent?.get(field) ?? '')
  const option = (value: string, label: Word) =>
    html`<option value="${value}"${value === visibility && html` selected`}>${label}</option>`
  const mayBePublic = mayOpen(visit)
  const everyone = mayBePublic && option('public', newGuide.everyone)
  const asks = visibility === 'public' && questionHtml(visit.words, PUBLIC)
  const about = mayBePublic ? asks : html`<p class="quiet">${newGuide.managersOnly}</p>\n`
  const address = html`${files.address} <span dir="ltr">/${visit.record.workspace}/</span>`
  const fields = html`${inputField('name', changes.name, html`required maxlength="${MAX_NAME}" value="${name}" title="${newGuide.nameForm}"`)}
${inputField('id', address, html`dir="ltr" maxlength="63" value="${id}" title="${newGuide.addressForm}" spellcheck="false"`)}
<p class="field"><label for="visibility">${newGuide.readers}</label> <select id="visibility" name="visibility">${option('private', newGuide.people)}${everyone}</select></p>
${about}<p class="actions"><button class="primary">${newGuide.make}</button></p>`
  return html`<p>${newGuide.lead}</p>\n${formHtml(tokenOf(visit), fields, html` id="edit"`)}`
}

/** The setting about which the form asks, if the guide is to be public: see `protected-fields.ts`. */
const PUBLIC = ['visibility'] as const
const MAX_NAME = 60
/** Letters and marks that have no meaning in Markdown, YAML and SVG, where the starter has the name. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} &'’.,!+–-]*$/u
