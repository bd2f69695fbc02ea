import { EDITED_FILES, usualPagePath } from '#brand/edit-link.ts'
import { keysOf } from '#brand/fields.ts'
import type { Finding } from '#brand/finding.ts'
import type { ProjectRef } from '#brand/ids.ts'
import { settingsOwner } from '#intake/project/protected-settings.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import type { FileChange } from '#publishing/git/edit/merge-files.ts'
import type { Edit, Saved, SettingsChange } from '#publishing/git/edit/save.ts'
import type { GitProblem, GitResult } from '#publishing/git/program/git-problem.ts'
import { edits, editsAll, manages, managesAll } from '#serving/access/session/rights.ts'
import { type Html, html, type Word } from '#site/html.ts'
import type { Words } from '#site/words/words.ts'
import { findProject } from '#store/catalogue/catalogue.ts'
import { livePerson } from '../../manage/live-right.ts'
import { inEnglish } from '../fields.ts'
import { runTask, type Visit } from './context.ts'

/** A visit to files that are saved, perhaps of a project that does not exist yet. */
export type Saving = Omit<Visit, 'record'> & { record: ProjectRef }

/** The summary of a commit, and an id by which a save that is sent again becomes the same commit. */
type SaveOptions = { summary?: string; saveId?: string }

/** Reads a file. The problem has the words of the host, as a sentence. */
export async function readFile({ files, words }: Saving, path: string): Promise<Result<Uint8Array | undefined, Word>> {
  const read = await files.read(path)
  return read.ok ? read : failed(problemText(words, read.problem))
}

/** A problem in English as a whole sentence. */
export function sentence(words: Words, problem: string): Word {
  return inEnglish(words, `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`)
}

/** A problem in the words of the person. Settings are named only in the log, which operators read. */
export function problemText(words: Words, { code, message }: GitProblem): Word {
  const isForPeople = code === 'edit_refused' || code === 'git_push_refused'
  return isForPeople ? sentence(words, message) : words.edit.refusals[TEXTS[code] ?? 'repository']
}

/** The keys of the words for the problems of a repository; any other code has the word `repository`. */
const TEXTS: Partial<Record<GitProblem['code'], 'away' | 'late' | 'unchecked'>> = {
  edit_unchecked: 'unchecked',
  git_unreachable: 'away',
  git_too_slow: 'away',
  git_push_late: 'late',
}

/** Saves changes as one commit of the person, with their summary or a plain one. The problem has the words of the host. */
export function saveChanges(
  visit: Saving,
  changes: readonly FileChange[],
  { summary = '', saveId = '' }: SaveOptions,
): Promise<Result<Saved, Html | Word>> {
  const paths = changes.map(({ path }) => path)
  const subject = subjectOf(summary, `${visit.words.edit.changed({ page: paths.join(', ') })}`)
  const ownId = /^[\w-]{8,64}$/.test(saveId) ? { saveId } : {}
  return commit(visit, paths, edit => visit.files.save({ ...edit, ...ownId, changes, subject }))
}

/** Saves changes that have the given problem if others changed the same files. Returns the commit. */
export async function saveAlone(
  visit: Saving,
  changes: readonly FileChange[],
  { conflict, ...options }: SaveOptions & { conflict: Word },
): Promise<Result<string | undefined, Html | Word>> {
  return withoutConflict(visit, await saveChanges(visit, changes, options), conflict)
}

/** Undoes a commit of somebody as a commit of the person, which it returns. */
export async function undoSave(visit: Saving, hash: string): Promise<Result<string | undefined, Html | Word>> {
  const { undo } = visit.files
  const { notUndone, undone } = visit.words.edit
  if (!undo) return failed(notUndone)
  const subject = (of: string) => subjectOf(`${undone({ subject: of })}`, '')
  // `undo` asks for each file of the commit whether it is of this guide. All are, and are noted for the audit log.
  const paths: string[] = []
  const isOwn = (path: string) => paths.push(path) > 0
  const saved = await commit(visit, paths, edit => undo({ ...edit, commit: hash, isOwn, subject }))
  return withoutConflict(visit, saved, notUndone)
}

/** The commit of a save; undefined if nothing had to be changed. Problems are its errors, or the given one after a conflict. */
function withoutConflict(
  visit: Saving,
  saved: Result<Saved, Html | Word>,
  conflict: Word,
): Result<string | undefined, Html | Word> {
  if (!saved.ok) return saved
  const { value } = saved
  if (value.outcome === 'invalid') return failed(errorsHtml(visit, value.findings))
  return value.outcome === 'saved' ? ok(value.commit) : failed(conflict)
}

/** The errors that a change would bring, each with a link to the page that edits its file, if it is in this guide. */
export function errorsHtml({ context, files, record, words }: Saving, findings: readonly Finding[]): Html {
  const { edit } = words
  const { folder, pages } = files.paths
  const start = folder === '' ? '' : `${folder}/`
  const pageByPath = new Map([
    ...keysOf(EDITED_FILES).map(kind => [EDITED_FILES[kind], `-/${kind}`] as const),
    ...Object.entries(pages).map(([id, path]) => [path, id] as const),
  ])
  const addressOf = ({ path, project }: Finding) => {
    const pathInProject = path.slice(start.length)
    // A new page is not among the paths of the last import, but has the usual path of its id: `pages/logo.md`.
    const usualId = pathInProject.slice('pages/'.length, -'.md'.length)
    const below = pageByPath.get(pathInProject) ?? (pathInProject === usualPagePath(usualId) ? usualId : undefined)
    const editor = `/${record.workspace}/${record.project}/-/edit`
    return (
      project === record.project && below !== undefined && context.manage.site.here(encodeURI(`${editor}/${below}`))
    )
  }
  const lines = findings.slice(0, MAX_ERRORS).map(finding => {
    const { path, line, message } = finding
    const place = `${path}:${line ?? 1}`
    const address = addressOf(finding)
    const link = address ? html`<a href="${address}" target="_blank">${place}</a>` : html`${place}`
    return html`<br>\n${link} ${inEnglish(words, message)}`
  })
  return html`${edit.nothingSaved} ${edit.refusals.breaks}${lines}`
}

const MAX_ERRORS = 5

/**
 * Makes a commit of the person, records what became of it, and asks for its import. `save` calls `refusal` with the settings
 * just before it writes; if the person has lost the right meanwhile, the reason is kept here for the reply.
 */
async function commit(
  visit: Saving,
  paths: readonly string[],
  save: (edit: Edit) => Promise<GitResult<Saved>>,
): Promise<Result<Saved, Html | Word>> {
  const { context, files, person, record, request, words } = visit
  const { workspace, project } = record
  const author = person ? context.authorOf(person) : { name: 'housestyle', email: '' }
  let rightProblem: Word | undefined
  const refusal = async (settings: readonly SettingsChange[]) => {
    rightProblem = await endedRight(visit, settings)
    return rightProblem === undefined ? undefined : RIGHT_ENDED
  }
  const { access } = context.manage
  const line = { event: 'edit_saved', workspace, project, paths, address: request.address } as const
  const audit = person && { line: { ...line, subject: person.subject }, record: access.record }
  const saved = await save({ author, saveId: context.newId(), settings: EDITED_FILES.project, refusal, audit })
  const hash = saved.ok && saved.value.outcome === 'saved' ? saved.value.commit : undefined
  if (!saved.ok) {
    const { code: reason, message: problem } = saved.problem
    audit?.record({ ...audit.line, event: 'edit_refused', reason, problem })
  }
  if (hash !== undefined) await files.importSoon?.()
  return saved.ok
    ? saved
    : failed(html`${words.edit.nothingSaved} ${rightProblem ?? problemText(words, saved.problem)}`)
}

const RIGHT_ENDED = { code: 'edit_denied', message: 'cannot save: the person has no right to this change' } as const

/**
 * Why the person may not make a commit with these settings; undefined if they may. Other processes may have ended their
 * session or their right, so the store is asked. Who may read a guide is for those who manage it, and its id is for no form:
 * a folder with another id belongs to another guide.
 */
async function endedRight(visit: Saving, settings: readonly SettingsChange[]): Promise<Word | undefined> {
  const { context, person, record, words } = visit
  const { refusals } = words.edit
  if (context.isForAll) return undefined
  const { database, clock } = context.manage.store
  const live = person && (await livePerson(database, person, clock.date()))
  // Undefined for a guide that is being made.
  const current = await findProject(database, record.workspace, record.project)
  if (!live || !(current ? edits(live, current) : editsAll(live))) return refusals.ended
  const protectedKeys = await runTask(visit, 'protect', {
    owner: settingsOwner(record.project, visit.files.paths.folder),
    settings,
  })
  if (!protectedKeys) return words.edit.tooLong
  const { keys } = protectedKeys
  // With unchanged settings, another id means that the folder belongs to another guide already.
  const isUnchanged = settings.every(({ before, after }) => before === after)
  if (keys.includes('id')) return isUnchanged ? refusals.repository : words.edit.idStays
  // A new guide, and a translation of another one, are for those who manage all guides.
  const concernsOthers = !current || keys.includes('translationOf')
  const mayManage = keys.length === 0 || (concernsOthers ? managesAll(live) : manages(live, current))
  return mayManage ? undefined : words.edit.managersOnly
}

/** The first line of a commit: at most 72 characters, as git shows it. */
function subjectOf(summary: string, defaultSummary: string): string {
  const line = summary.replaceAll(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ').trim() || defaultSummary
  const letters = [...line]
  return letters.length <= MAX_SUBJECT ? line : `${letters.slice(0, MAX_SUBJECT - 1).join('')}…`
}

const MAX_SUBJECT = 72
