import type { Finding } from '#brand/finding.ts'
import type { ProjectRef } from '#brand/ids.ts'
import { pick, withoutUndefined } from '#platform/base/object.ts'
import type { GitSource } from '#platform/settings/git-source.ts'
import type { Log } from '#platform/telemetry/log.ts'
import { findGitSource, type GitSourceRecord, listGitSources, saveGitCheck } from '#store/catalogue/git-sources.ts'
import type { Database } from '#store/database/database.ts'
import { parseFeeding, sourceId, sourceName } from '../../feeders.ts'
import type { EndedPlans } from '../../plan.ts'
import type { Commit, GitProblem } from '../program/git-problem.ts'

/** The result of the last import of a source, as the store keeps it. */
export type ImportedCommit = {
  commit: Commit
  /** The hash that the remote gave for the ref: of the commit, or of a tag. */
  remote: string
  /** Identifies everything that the result depends on: the files, the settings of the source, and the readers. */
  content: string
  workspace: string
  projects: PulledProject[]
  errors: number
  warnings: number
  /** The first findings, errors before warnings; their paths are those in the repository. */
  findings: Finding[]
  /** When the next check asks again for files in Git LFS that did not arrive, in milliseconds; absent if all did. */
  retryAt?: number
  /** The commit that brought the errors, if it is a save in the browser; absent if that is not known. */
  broughtBy?: string
} & EndedPlans

/** A project of a pulled commit; `revision` is null if it was not published. */
type PulledProject = {
  project: string
  imported: boolean
  changed: boolean
  revision: number | null
  /** The keys of `workspace.yaml` that its publication changed; absent if there are none. */
  workspaceChanges?: readonly string[]
}

/** The fields of an import that the state of its source has, too. */
type ResultKey = 'projects' | 'errors' | 'warnings' | 'findings' | 'endedPlans' | 'broughtBy'

/** The state of a source, as `housestyle pull --status --json` prints it. */
export type SourceState = Pick<ImportedCommit, ResultKey> & {
  url: string
  ref: string | null
  path: string | null
  workspace: string | null
  publish: GitSource['publish']
  /** `new`: no process has pulled it yet. `failed`: the last attempt failed, or its commit has an error. */
  state: 'new' | 'good' | 'failed'
  checkedAt: string | null
  goodAt: string | null
  commit: Commit | null
  failure: GitProblem | null
  /** The projects that earlier commits have filled and this one no longer has, as `workspace/project`; absent without any. */
  gone?: readonly string[]
}

/** The state of a source in the store, parsed for the next check. */
export type SourceResult = {
  state: SourceState
  imported: ImportedCommit | undefined
  /** The commit and the settings that the last attempt refused, if another one would only repeat it. */
  refused: string | undefined
  /** The time after the last check for which the host asked not to be asked again. */
  waitMs: number
}

export async function readSource(database: Database, source: GitSource): Promise<SourceResult> {
  return sourceResult(source, await findGitSource(database, sourceId(source)))
}

/** The sources of these settings; without any, those of services, which may have other settings. */
export async function followedSources(database: Database, git: readonly GitSource[]): Promise<SourceState[]> {
  if (git.length === 0) return recordedSources(database)
  return Promise.all(git.map(async source => (await readSource(database, source)).state))
}

/** The sources that services and pulls checked on the last day before the newest check. */
async function recordedSources(database: Database): Promise<SourceState[]> {
  const records = await listGitSources(database)
  const newest = Math.max(...records.map(({ checkedAt }) => checkedAt?.getTime() ?? 0))
  const recent = records.filter(({ checkedAt }) => checkedAt && checkedAt.getTime() >= newest - DAY_MS)
  return recent.flatMap(record => {
    const { source }: { source?: GitSource } = JSON.parse(record.imported ?? '{}')
    return source ? [sourceResult(source, record).state] : []
  })
}

const DAY_MS = 24 * 60 * 60_000

/** Parses the row of a source; an empty one for a source that no process has pulled. */
export function sourceResult(source: GitSource, { checkedAt, goodAt, ...record }: GitSourceRecord): SourceResult {
  const imported = parseImported(record.imported)
  const { failure, refused, waitMs } = parseFailure(record.failure)
  const result = pick({ ...NO_IMPORT, ...imported }, RESULT_KEYS)
  const isFailed = failure !== null || result.errors > 0
  const { gone } = parseFeeding(record.imported)
  const state: SourceState = {
    url: source.url,
    ref: source.ref ?? null,
    path: source.path ?? null,
    workspace: imported?.workspace ?? source.workspace ?? null,
    publish: source.publish,
    state: isFailed ? 'failed' : imported ? 'good' : 'new',
    checkedAt: checkedAt?.toISOString() ?? null,
    goodAt: goodAt?.toISOString() ?? null,
    ...result,
    failure,
    ...(gone.length > 0 && { gone }),
  }
  return { state, imported, refused, waitMs }
}

/** The result of a source that was never imported. */
const NO_IMPORT: Pick<SourceState, 'commit' | ResultKey> = {
  commit: null,
  projects: [],
  errors: 0,
  warnings: 0,
  findings: [],
}
const RESULT_KEYS = ['commit', 'projects', 'errors', 'warnings', 'findings', 'endedPlans', 'broughtBy'] as const

/** Saves a failed attempt. The last import stays. */
export function saveFailure({ transaction }: Database, source: GitSource, failure: GitProblem): Promise<void> {
  return transaction(queries => saveGitCheck(queries, sourceId(source), { failure: JSON.stringify(failure) }))
}

/** Saves an import. Only one without errors makes the source good. */
export function saveImported({ transaction }: Database, source: GitSource, imported: ImportedCommit, now: Date) {
  return transaction(async queries => {
    const { filled } = parseFeeding((await findGitSource(queries, sourceId(source))).imported)
    const check = { imported: JSON.stringify({ ...imported, source, filled }) }
    await saveGitCheck(queries, sourceId(source), { ...check, ...(imported.errors === 0 && { goodAt: now }) })
  })
}

/** Only this file writes these values. Before the first import, there is only the source. */
function parseImported(text = '{}'): ImportedCommit | undefined {
  const value: ImportedCommit | { content?: never } = JSON.parse(text)
  return value.content === undefined ? undefined : value
}

function parseFailure(text = 'null'): Pick<SourceResult, 'refused' | 'waitMs'> & { failure: GitProblem | null } {
  const problem: GitProblem | null = JSON.parse(text)
  if (!problem) return { failure: null, refused: undefined, waitMs: 0 }
  const { refused, waitMs = 0, ...failure } = problem
  return { failure, refused, waitMs }
}

/** The publications between two states of a source, as arguments of `auditPublications`. */
export function publishedBetween(before: SourceState, { workspace, projects, commit }: SourceState) {
  const results = projects.flatMap(({ project, revision, changed, workspaceChanges }) => {
    const wasPublished = before.projects.some(each => each.project === project && each.revision === revision)
    if (workspace === null || revision === null || wasPublished) return []
    return [{ workspace, project, revision, changed, ...withoutUndefined({ workspaceChanges }) }]
  })
  return [results, { via: 'push', ...(commit && { commit: commit.hash }) }] as const
}

/** Whether a check has changed what people should know about a source. */
export function isNews(before: SourceState, after: SourceState): boolean {
  return resultOf(before) !== resultOf(after)
}

function resultOf({ failure, commit, projects, errors }: SourceState): string {
  return JSON.stringify([failure, commit, projects, errors])
}

/** Logs the result of a pull: its commit, or why it cannot be published. */
export function logPull(log: Log, state: SourceState): void {
  const { commit, projects } = state
  const fields = { source: sourceLabel(state), ...(commit && { commit: commit.hash }) }
  if (state.state === 'failed') log.warn(fields, `a repository cannot be published: ${explanation(state)}`)
  else if (commit)
    log.info({ ...fields, author: commit.author, subject: commit.subject, projects }, 'a commit was pulled')
}

export function sourceLabel({ url, ref, path }: SourceState): string {
  return sourceName({ url, ...(ref !== null && { ref }), ...(path !== null && { path }) })
}

/**
 * Why the last import did not change a project: it failed, or its source no longer has the project. Undefined if it did,
 * or if no source fills the project.
 */
export function importFailure(states: readonly SourceState[], ref: ProjectRef): string | undefined {
  const problems = states.map(state => goneProblem(state, ref) ?? projectFailure(state, ref))
  return problems.find(problem => problem !== undefined)
}

/** That a source has filled a project which its newest commit no longer has. */
export function goneProblem({ gone = [], ...state }: SourceState, ref: ProjectRef): string | undefined {
  const name = `${ref.workspace}/${ref.project}`
  if (!gone.includes(name)) return undefined
  const fix = `give it this id again, or delete this one with \`housestyle delete ${name}\``
  return `${sourceLabel(state)} no longer has a project with the id ${ref.project}, which stays unchanged: ${fix}`
}

/** Why a source has not imported a project that it fills; undefined if it has, or does not fill it. */
function projectFailure(source: SourceState, { workspace, project }: ProjectRef): string | undefined {
  const isOwn = (each: { project: string | null }) => each.project === project
  const imported = source.projects.find(isOwn)
  const findings = source.findings.filter(isOwn)
  const isTaken = findings.some(({ rule }) => rule === 'project-taken')
  if (source.workspace !== workspace || !imported || isTaken) return undefined
  return source.failure === null && imported.imported ? undefined : explanation({ ...source, findings })
}

/** Why a source has failed: its problem, or the first finding by path and line. */
export function explanation({ failure, findings: [first], errors }: SourceState): string {
  if (failure) return failure.message
  if (!first) return `${errors} errors`
  const { path, line, rule, message } = first
  const more = errors > 1 ? ` (and ${errors - 1} more errors)` : ''
  return `${path}:${line ?? 1} ${rule} ${message}${more}`
}
