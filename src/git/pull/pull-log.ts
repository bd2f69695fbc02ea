import type { Log } from '../../telemetry/log.ts'
import { sourceName } from '../program/git-problem.ts'
import type { SourceState } from './source-state.ts'

/** Whether a check has changed the result of a source. */
export function isNews(before: SourceState, after: SourceState): boolean {
  return resultOf(before) !== resultOf(after)
}

function resultOf({ failure, commit, projects, errors }: SourceState): string {
  return JSON.stringify([failure, commit, projects, errors])
}

/** Logs the result of a source: its commit, or what prevents its publication. */
export function logPull(log: Log, state: SourceState): void {
  const { commit, projects } = state
  const fields = { source: sourceLabel(state), ...(commit && { commit: commit.hash }) }
  if (state.state === 'failed') log.warn(fields, `a repository cannot be published: ${explanation(state)}`)
  else if (commit)
    log.info({ ...fields, author: commit.author, subject: commit.subject, projects }, 'a commit was pulled')
}

/** A warning if several sources import one project: each then replaces what the others have published. */
export function overlapWarning(states: readonly SourceState[]): string | undefined {
  const importers = new Map<string, SourceState>()
  for (const state of states)
    for (const { project } of state.projects) {
      const name = `${state.workspace}/${project}`
      const other = importers.get(name)
      const fix = 'write another workspace: into the entry of one of them in housestyle.yaml'
      if (other) return `${sourceLabel(other)} and ${sourceLabel(state)} both import ${name}: ${fix}`
      importers.set(name, state)
    }
  return undefined
}

/** The name of a source in logs and messages. */
export function sourceLabel({ url, ref, path }: SourceState): string {
  return sourceName({ url, ...(ref !== null && { ref }), ...(path !== null && { path }) })
}

/** Why a source has failed: its problem, or the first finding by path and line. */
export function explanation({ failure, findings: [first], errors }: SourceState): string {
  if (failure) return failure.message
  if (!first) return `${errors} errors`
  const { path, line, rule, message } = first
  const more = errors > 1 ? ` (and ${errors - 1} more errors)` : ''
  return `${path}:${line ?? 1} ${rule} ${message}${more}`
}
