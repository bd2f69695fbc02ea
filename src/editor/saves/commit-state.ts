import type { SourceState } from '../../git/pull/source-state.ts'
import type { PublishedProject } from '../../store/catalogue/catalogue.ts'

/** The fate of a saved change. `review`: someone has to merge, approve or publish it first. */
export type CommitState =
  | { state: 'waiting' | 'review' }
  | { state: 'refused'; message: string }
  | { state: 'live'; project: string; revision: number; publishedAt: Date }

/** A commit about which someone asks, and what the service knows. */
export type CommitQuestion = {
  commit: string
  askedAt: Date
  /** The imported commit at that time. */
  before: string | undefined
  source: SourceState
  /** The published projects that the person sees. */
  projects: ReadonlyMap<string, PublishedProject>
}

/**
 * The fate of a commit. A later one counts too: once another commit was imported, or a check began and ended since the
 * question, the branch with the commit was read.
 */
export function commitState({ commit, askedAt, before, source, projects }: CommitQuestion): CommitState {
  const { failure, publish } = source
  if (failure) return failure.commit?.hash === commit ? { state: 'refused', message: failure.message } : WAITING
  const isOwn = source.commit?.hash === commit
  if (!isOwn && source.commit?.hash === before && !isCheckedSince(source, askedAt)) return WAITING
  const seen = source.projects.filter(({ project }) => projects.has(project))
  // A finding outside all projects may name the folder of one that the person does not see.
  const first = source.findings.find(
    ({ severity, project }) => severity === 'error' && (project === null ? isOwn : projects.has(project)),
  )
  if (first) return { state: 'refused', message: `${first.path}:${first.line ?? 1} ${first.message}` }
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
