import type { Ids } from '#brand/contract/route.ts'
import { isPageId } from '#brand/ids.ts'
import { HOME_PAGE } from '#brand/page.ts'
import { equalsInConstantTime } from '#platform/base/bytes.ts'
import { parsedJson } from '#platform/base/object.ts'
import { attempt } from '#platform/base/result.ts'
import type { Reply, Request } from '#platform/exchange/message.ts'
import { readOwnForm } from '#platform/exchange/own-form.ts'
import { redirect } from '#platform/exchange/reply.ts'
import { mergedText, passagesOf } from '#publishing/git/edit/merge.ts'
import type { Saved } from '#publishing/git/edit/save.ts'
import { formToken } from '../../manage/context.ts'
import { unshared } from '../../manage/form.ts'
import { foreignForm } from '../../manage/refused-request.ts'
import { openText } from '../source/edited-text.ts'
import { conflictHtml } from './conflict.ts'
import { type Editor, MAX_EDIT_BYTES } from './context.ts'
import { type EditPage, editPage } from './edit-view.ts'
import { type EditedProject, editedProject, shownPath } from './edited-project.ts'
import { BODY, sentTexts } from './form-parts.ts'
import { type FormProblem, textOfForm, withAlias } from './form-text.ts'
import { previewReply } from './preview.ts'
import { saveFile, undoSave } from './save-file.ts'
import { savedState } from './saved-state.ts'
import { mayDelete, type Target, targetOf } from './target.ts'

/** The page on which people edit a file of a guide, and the replies to its form. */
export async function editReply(context: Editor, request: Request, ids: Ids): Promise<Reply | undefined> {
  const edited = await editedProject(context, request, ids)
  if (!edited || 'status' in edited) return edited
  const target = targetOf(edited.files.paths, ids.page, isPageId)
  if (!target) return undefined
  return request.method === 'POST'
    ? answerForm(context, edited, request, target)
    : openPage(context, edited, request, target)
}

/** The page with the file as it is now, and with the problem of a form that changed nothing. */
async function openPage(
  context: Editor,
  edited: EditedProject,
  request: Request,
  target: Target,
  failure?: Pick<EditPage, 'problem' | 'status'>,
): Promise<Reply | undefined> {
  const fail = (problem: string) => editPage(context, edited, request, { target, problem, ...failure })
  const read = await edited.files.read(target.path)
  if (!read.ok) return fail(read.problem.message)
  const text = read.value && utf8(read.value)
  if (read.value && text === undefined) return fail(`${edited.guide.words.edit.encoding}`)
  if (text === undefined && target.kind === 'page') return undefined
  const opened = openText(target.kind, text ?? '')
  const saved = failure ? undefined : await savedState(context, edited, request, target)
  return editPage(context, edited, request, { target, opened, base: text ?? '', saved, ...failure })
}

/** The text of bytes in UTF-8 with its byte order mark; undefined for other bytes, and for NUL, which HTML cannot show. */
function utf8(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  return attempt(() => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
}

async function answerForm(
  context: Editor,
  edited: EditedProject,
  request: Request,
  opening: Target,
): Promise<Reply | undefined> {
  const { site } = context.manage
  const form = readOwnForm(site.url, request, { maxBytes: MAX_EDIT_BYTES })
  const token = formToken(context.manage, edited.sender)
  if (!form || !equalsInConstantTime(form.get('token') ?? '', token)) return foreignForm(context.manage, request)
  const action = form.get('do')
  if (action === 'cancel') return unshared(redirect(303, shownPath(edited, opening)))
  if (action === 'undo') {
    const undone = await undoSave(context, edited, request, form.get('commit') ?? '')
    if (undone.ok) return savedReply(context, request, undone.value)
    return openPage(context, edited, request, opening, { problem: undone.problem, status: 409 })
  }
  const base = parsedJson(form.get('base') ?? '')
  if (action === 'delete' && mayDelete(opening) && typeof base === 'string' && form.get('sure') === 'yes') {
    const deleted = await saveFile(context, edited, request, { target: opening, base, text: undefined })
    if (deleted.ok && deleted.value.outcome === 'saved') {
      const { workspace, project } = edited.record
      return unshared(redirect(303, site.here(`/${workspace}/${project}/-/edit/${HOME_PAGE}`)))
    }
    const problem = deleted.ok ? `${edited.guide.words.edit.conflict}` : deleted.problem
    return openPage(context, edited, request, opening, { problem, status: 409 })
  }
  if (typeof base !== 'string' || action === 'delete') return foreignForm(context.manage, request)
  const shown = parsedJson(form.get('opened') ?? '')
  const { words } = edited.guide
  const opened = openText(opening.kind, typeof shown === 'string' ? shown : base)
  const sent = withAlias(opening, opened, sentTexts(form))
  if (action === 'preview') return previewReply(context, edited, opening, { text: sent.get(BODY)?.[0]?.trim() ?? '' })
  const [saveId, summary] = [form.get('save') ?? '', form.get('summary') ?? '']
  const own = { target: opening, opened, sent, base, saveId, summary }
  const refuse = (failure: FormProblem & { status?: 409 }) =>
    editPage(context, edited, request, { ...own, status: 422, ...failure })
  const written = textOfForm(words, { kind: opening.kind, opened, sent }, base)
  if (!written.ok) return refuse(written.problem)
  const saved = await saveFile(context, edited, request, { ...own, text: written.value })
  if (!saved.ok) return refuse({ problem: saved.problem, status: 409 })
  if (saved.value.outcome === 'saved') return savedReply(context, request, saved.value)
  const [theirs] = saved.value.files
  return conflictPage(context, edited, request, { ...own, text: written.value, theirs: theirs?.theirs })
}

function savedReply({ manage }: Editor, request: Request, saved: Saved): Reply {
  const { commit = '' } = saved.outcome === 'saved' ? saved : {}
  const query = new URLSearchParams({ saved: commit, at: `${manage.store.clock.now()}` })
  return unshared(redirect(303, `${manage.site.here(request.path)}?${query}`))
}

type Conflict = Omit<EditPage, 'base'> & { base: string; text: string; theirs: Uint8Array | undefined }

/** Shows the form with the changes of both; where both changed a place, it has those of the person, next to the others. */
async function conflictPage(
  context: Editor,
  edited: EditedProject,
  request: Request,
  { theirs, ...own }: Conflict,
): Promise<Reply | undefined> {
  const other = (theirs && utf8(theirs)) ?? ''
  const passages = passagesOf(own.base, own.text, other)
  const merged = passages.map(passage => mergedText(passage) ?? passage.mine).join('')
  const conflict = conflictHtml(edited.guide.words, passages)
  const opened = openText(own.target.kind, merged)
  return editPage(context, edited, request, { ...own, sent: new Map(), opened, base: other, conflict, status: 409 })
}
