import type { SourceState } from '#publishing/git/pull/source-state.ts'

/**
 * The fate of a saved change. `review`: someone has to approve or publish it first. `blocked`: another file has an
 * error.
 */
export type CommitState = { state: 'waiting' | 'review' | 'live' } | { state: 'refused' | 'blocked'; message: string }

/** A commit about which someone asks, and what the service knows. */
export type CommitQuestion = {
  commit: string
  /** Whether the commit may have changed a file, by its path in the repository. */
  mayHaveChanged: (path: string) => boolean
  askedAt: Date
  source: SourceState
  project: string
  /** What this process serves, which may be a moment older than the store. */
  published: { revision: number } | undefined
}

/** The fate of a commit. It counts as read once a check of the branch began and ended since the question. */
export function commitState(question: CommitQuestion): CommitState {
  const { commit, mayHaveChanged, askedAt, source, project, published } = question
  const { failure, publish } = source
  if (failure) return failure.commit?.hash === commit ? { state: 'refused', message: failure.message } : WAITING
  const isImported = source.commit?.hash === commit
  if (!isImported && !isCheckedSince(source, askedAt)) return WAITING
  // A finding outside all projects may name the folder of one that the person does not see.
  const errors = source.findings.filter(
    ({ severity, project: place }) => severity === 'error' && (place === null ? isImported : place === project),
  )
  const own = errors.find(({ path }) => mayHaveChanged(path))
  const first = own ?? errors[0]
  const state = own ? 'refused' : 'blocked'
  if (first) return { state, message: `${first.path}:${first.line ?? 1} ${first.message}` }
  const imported = source.projects.find(each => each.project === project)
  if (imported?.imported === false) return { state: 'refused', message: `${source.errors} errors` }
  if (publish !== 'auto') return { state: 'review' }
  const isLive = imported && published && published.revision >= (imported.revision ?? 0)
  return isLive ? { state: 'live' } : WAITING
}

const WAITING: CommitState = { state: 'waiting' }

function isCheckedSince({ checkedAt, goodAt }: SourceState, askedAt: Date): boolean {
  const [began, ended] = [checkedAt, goodAt].map(time => (time === null ? Number.NaN : Date.parse(time)))
  return began !== undefined && ended !== undefined && began >= askedAt.getTime() && ended >= began
}
