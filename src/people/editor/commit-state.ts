import type { Finding } from '#brand/finding.ts'
import type { SourceState } from '#publishing/git/pull/source-state.ts'
import type { ProjectRecord } from '#store/catalogue/catalogue.ts'

/**
 * The fate of a saved change. `review`: someone has to merge, approve or publish it first. `blocked`: another file has
 * an error.
 */
export type CommitState =
  | { state: 'waiting' | 'review' }
  | { state: 'refused' | 'blocked'; message: string }
  | { state: 'live'; project: string; revision: number; publishedAt: Date }

/** A commit about which someone asks, and what the service knows. */
export type CommitQuestion = {
  commit: string
  /** The saved files, by their paths in the repository; empty if they are unknown. */
  paths: readonly string[]
  askedAt: Date
  /** The result of the last import at that time: its errors are not those of the commit. */
  before: Pick<SourceState, 'commit' | 'findings'>
  source: SourceState
  /** The projects that the person sees. */
  projects: ReadonlyMap<string, { published?: ProjectRecord['published'] }>
}

/**
 * The fate of a commit. A later one counts too: once another commit was imported, or a check began and ended since the
 * question, the branch with the commit was read.
 */
export function commitState({ commit, paths, askedAt, before, source, projects }: CommitQuestion): CommitState {
  const { failure, publish } = source
  if (failure) return failure.commit?.hash === commit ? { state: 'refused', message: failure.message } : WAITING
  const isOwn = source.commit?.hash === commit
  if (!isOwn && source.commit?.hash === before.commit?.hash && !isCheckedSince(source, askedAt)) return WAITING
  const seen = source.projects.filter(({ project }) => projects.has(project))
  // A finding outside all projects may name the folder of one that the person does not see.
  const errors = source.findings.filter(
    ({ severity, project }) => severity === 'error' && (project === null ? isOwn : projects.has(project)),
  )
  const isEarlier = ({ path, message }: Finding) =>
    before.commit?.hash !== commit && before.findings.some(each => each.path === path && each.message === message)
  const own = errors.find(error => (paths.length > 0 ? paths.includes(error.path) : !isEarlier(error)))
  const first = own ?? errors[0]
  const state = own ? 'refused' : 'blocked'
  if (first) return { state, message: `${first.path}:${first.line ?? 1} ${first.message}` }
  if (seen.some(({ imported }) => !imported)) return { state: 'refused', message: `${source.errors} errors` }
  if (publish !== 'auto') return { state: 'review' }
  const target = seen.find(({ changed }) => changed) ?? seen[0]
  const published = target && projects.get(target.project)?.published
  if (!published || published.revision < (target.revision ?? 0)) return WAITING
  const { revision, publishedAt } = published
  return { state: 'live', project: target.project, revision, publishedAt }
}

const WAITING: CommitState = { state: 'waiting' }

function isCheckedSince({ checkedAt, goodAt }: SourceState, askedAt: Date): boolean {
  const [began, ended] = [checkedAt, goodAt].map(time => (time === null ? Number.NaN : Date.parse(time)))
  return began !== undefined && ended !== undefined && began >= askedAt.getTime() && ended >= began
}
