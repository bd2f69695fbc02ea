import type { ProjectRef } from '#brand/ids.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import type { FileChange } from '#publishing/git/edit/merge-files.ts'
import type { Saved } from '#publishing/git/edit/save.ts'
import type { GitResult } from '#publishing/git/program/git-problem.ts'
import type { Word } from '#site/html.ts'
import { auditedBy } from '../../manage/context.ts'
import type { EditedFiles } from './context.ts'
import type { Visit } from './visit.ts'

/** A visit to files that are saved, perhaps of a project that does not exist yet. */
export type Saving = Visit & { files: EditedFiles; record: ProjectRef }

type SaveOptions = { summary?: string; saveId?: string }

/** Saves changes as one commit of the person, with their summary or a plain one. The problem has the words of the host. */
export async function saveChanges(
  visit: Saving,
  changes: readonly FileChange[],
  { summary = '', saveId = '' }: SaveOptions,
): Promise<Result<Saved, string>> {
  const { context, files, words } = visit
  const paths = changes.map(({ path }) => path)
  const saved = await files.save({
    changes,
    author: authorOf(visit),
    subject: subjectOf(summary, `${words.edit.changed({ page: paths.join(', ') })}`),
    saveId: /^[\w-]{8,64}$/.test(saveId) ? saveId : context.newId(),
  })
  return recorded(visit, paths, saved)
}

/** Saves changes that have the given problem if others changed the same files. */
export async function saveAlone(
  visit: Saving,
  changes: readonly FileChange[],
  { conflict, ...options }: SaveOptions & { conflict: Word },
): Promise<Result<string | undefined, Word>> {
  return withoutConflict(await saveChanges(visit, changes, options), conflict)
}

/** Undoes a commit of somebody as a commit of the person. */
export async function undoSave(visit: Saving, commit: string): Promise<Result<string | undefined, Word>> {
  const { context, files, person, words } = visit
  const { notUndone, undone } = words.edit
  if (!files.undo || !person) return failed(notUndone)
  const subject = (of: string) => subjectOf(`${undone({ subject: of })}`, '')
  const saved = await files.undo({ commit, author: authorOf(visit), subject, saveId: context.newId() })
  return withoutConflict(await recorded(visit, [], saved), notUndone)
}

function withoutConflict(saved: Result<Saved, string>, conflict: Word): Result<string | undefined, Word> {
  if (!saved.ok) return saved
  return saved.value.outcome === 'saved' ? ok(saved.value.commit) : failed(conflict)
}

function authorOf({ context, person }: Visit) {
  return person ? context.authorOf(person) : { name: 'housestyle', email: '' }
}

/** Records what became of a save, and asks for its import. */
async function recorded(
  { context, files, person, record: { workspace, project }, request: { address } }: Saving,
  paths: readonly string[],
  saved: GitResult<Saved>,
): Promise<Result<Saved, string>> {
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
  return saved.ok ? saved : failed(saved.problem.message)
}

/** The first line of a commit: at most 72 characters, as git shows it. */
function subjectOf(summary: string, usual: string): string {
  const line = summary.replaceAll(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ').trim() || usual
  const letters = [...line]
  return letters.length <= MAX_SUBJECT ? line : `${letters.slice(0, MAX_SUBJECT - 1).join('')}…`
}

const MAX_SUBJECT = 72
