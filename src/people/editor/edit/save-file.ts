import type { ProjectRef } from '#brand/ids.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import type { Request } from '#platform/exchange/message.ts'
import type { FileChange } from '#publishing/git/edit/merge-files.ts'
import type { Saved } from '#publishing/git/edit/save.ts'
import type { GitResult } from '#publishing/git/program/git-problem.ts'
import { auditedBy } from '../../manage/context.ts'
import type { Editor } from './context.ts'
import type { EditedProject } from './edited-project.ts'
import type { Target } from './target.ts'

type FileSave = { target: Target; base: string; text: string | undefined; saveId?: string; summary?: string }

/** Saves a file as one commit of the person, and records what became of it. The problem has the words of the host. */
export async function saveFile(
  context: Editor,
  edited: EditedProject,
  request: Request,
  { target, base, text, saveId = '', summary = '' }: FileSave,
): Promise<Result<Saved, string>> {
  const bytes = (each: string | undefined) => (each === undefined ? undefined : new TextEncoder().encode(each))
  const change = {
    path: target.path,
    before: bytes(base || undefined),
    after: bytes(base === '' ? text || undefined : text),
  }
  return saveChange(context, edited, request, change, { saveId, summary })
}

/** Saves the change of one file as a commit of the person, with their summary or a plain one. */
export async function saveChange(
  context: Editor,
  edited: EditedProject,
  request: Request,
  change: FileChange,
  { saveId = '', summary = '' }: Pick<FileSave, 'saveId' | 'summary'>,
): Promise<Result<Saved, string>> {
  const { files, guide, person } = edited
  const saved = await files.save({
    changes: [change],
    author: person ? context.authorOf(person) : { name: 'housestyle', email: '' },
    subject: subjectOf(summary, `${guide.words.edit.changed({ page: change.path })}`),
    saveId: /^[\w-]{8,64}$/.test(saveId) ? saveId : context.newId(),
  })
  return recorded(context, edited, request, [change.path], saved)
}

/** Undoes a commit of somebody as a commit of the person. */
export async function undoSave(
  context: Editor,
  edited: EditedProject,
  request: Request,
  commit: string,
): Promise<Result<Saved, string>> {
  const { files, guide, person } = edited
  if (!files.undo || !person) return failed(`${guide.words.edit.notUndone}`)
  const subject = (undone: string) => subjectOf(`${guide.words.edit.undone({ subject: undone })}`, '')
  const undone = await files.undo({ commit, author: context.authorOf(person), subject, saveId: context.newId() })
  const saved = await recorded(context, edited, request, [], undone)
  return saved.ok && saved.value.outcome === 'conflict' ? failed(`${guide.words.edit.notUndone}`) : saved
}

/** Records what became of a save, and asks for its import. */
export async function recorded(
  context: Editor,
  { files, person, record }: Pick<EditedProject, 'files' | 'person'> & { record: ProjectRef },
  { address }: Request,
  paths: readonly string[],
  saved: GitResult<Saved>,
): Promise<Result<Saved, string>> {
  const { workspace, project } = record
  const commit = saved.ok && saved.value.outcome === 'saved' ? saved.value.commit : undefined
  if (person && (!saved.ok || commit !== undefined))
    auditedBy(context.manage.access, person).record({
      event: saved.ok ? 'edit_saved' : 'edit_refused',
      workspace,
      project,
      paths,
      ...(commit !== undefined && { commit }),
      ...(!saved.ok && { reason: saved.problem.code }),
      address,
    })
  if (commit !== undefined) await files.importSoon?.()
  return saved.ok ? ok(saved.value) : failed(saved.problem.message)
}

/** The first line of a commit: at most 72 characters, as git shows it. */
export function subjectOf(summary: string, usual: string): string {
  const line = summary.replaceAll(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ').trim() || usual
  const letters = [...line]
  return letters.length <= MAX_SUBJECT ? line : `${letters.slice(0, MAX_SUBJECT - 1).join('')}…`
}

const MAX_SUBJECT = 72
