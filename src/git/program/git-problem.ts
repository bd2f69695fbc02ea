/**
 * The reason why a repository could not be pulled. The code never changes; the message states the attempt, the problem
 * and the fix. It never contains a secret.
 */
export type GitProblem = {
  code: GitProblemCode
  message: string
  /** The commit that could not be imported; absent if none was fetched. */
  commit?: Commit
  /** The commit and the settings of the problem, if another attempt would only repeat it. Only the store has this. */
  refused?: string
}

/** A commit, without the address of its author. */
export type Commit = { hash: string; author: string; subject: string }

/** The causes of a failed pull, as docs/git.md lists them. */
type GitProblemCode =
  | 'git_missing'
  | 'git_unreachable'
  | 'git_refused'
  | 'git_not_found'
  | 'git_host_unknown'
  | 'git_ref_missing'
  | 'git_path_missing'
  | 'git_too_slow'
  | 'git_too_large'
  | 'git_unsafe'
  | 'git_lfs'
  | 'git_damaged'
  | 'workspace_missing'
  | 'pull_failed'

/** A repository for messages. */
export function sourceName({ url, ref, path }: { url: string; ref?: string; path?: string }): string {
  return `${url}${ref === undefined ? '' : ` (${ref})`}${path === undefined ? '' : ` ${path}/`}`
}
