import { withReason } from '../../base/reason.ts'
import { type GitCredentials, secretsOf } from './credentials.ts'
import { findCause, type GitProblemCode, INSTALL, MEMORY_FIX, NEXT } from './git-causes.ts'
import { type GitReply, readReply, withoutTrace } from './git-reply.ts'

/** Why a repository could not be pulled. The message states attempt, problem and fix, and never has a secret. */
export type GitProblem = {
  code: GitProblemCode
  message: string
  /** The commit that could not be imported; absent if none was fetched. */
  commit?: Commit
  /** The commit and the settings of the problem, if another attempt would only repeat it. Only the store has this. */
  refused?: string
  /** The time for which the host asks not to be asked again. Only the store has this. */
  waitMs?: number
}

/** A commit, without the address of its author. */
export type Commit = { hash: string; author: string; subject: string }

export type GitFailure =
  | { kind: 'missing' | 'slow' | 'killed' | 'failed'; stderr: string }
  | { kind: 'stopped'; problem: GitProblem }

export function sourceName({ url, ref, path }: { url: string; ref?: string; path?: string }): string {
  return `${url}${ref === undefined ? '' : ` (${ref})`}${path === undefined ? '' : ` ${path}/`}`
}

/**
 * Explains a failed command: our advice, and then the reason that git, ssh or the host gave. Their errors are untrusted,
 * so they are cleaned, and secrets replaced.
 */
export function explainFailure(
  attempt: string,
  url: string,
  failure: GitFailure,
  credentials: GitCredentials = {},
): GitProblem {
  if (failure.kind === 'stopped') return failure.problem
  const problem = (code: GitProblemCode, why: string) => ({ code, message: `cannot ${attempt}: ${why}` })
  if (failure.kind === 'missing') return problem('git_missing', `git is not installed; ${INSTALL}`)
  if (failure.kind === 'slow')
    return problem('git_too_slow', 'it took too long; check the network, or make the repository smaller')
  if (failure.kind === 'killed') return problem('pull_failed', `git was killed; ${MEMORY_FIX}`)
  const lines = withoutTrace(failure.stderr).filter(line => !TRAILER.test(line))
  const reply = readReply(failure.stderr, url, new Date())
  const command = { url, isSsh: protocolOf(url) === 'ssh', lines, reply, credentials }
  const { code, advice, line } = findCause(command) ?? { code: 'git_unreachable', advice: OTHER, line: undefined }
  const { message } = problem(code, advice)
  const reason = withReason(message, reasonLine(lines, line, reply), secretsOf(credentials))
  const waitMs = reply?.waitMs ?? (reply?.status === 429 ? LIMITED_MS : undefined)
  return { code, message: reason, ...(waitMs !== undefined && { waitMs }) }
}

/** Ends the errors of git about ssh, which has given its own reason before. */
const TRAILER =
  /^(?:fatal: Could not read from remote repository\.|Please make sure you have the correct access rights|and the repository exists\.)$|^[^\p{L}\d]*$|^remote:[^\p{L}\d]*$/u

const OTHER = `git or the host gives this reason; ${NEXT}`

/** The wait after a reply 429 that names none. */
const LIMITED_MS = 5 * 60_000

/** The host's own words about a status count most, then the line that has the cause. */
function reasonLine(lines: readonly string[], line: string | undefined, reply: GitReply | undefined): string {
  const isStatus = line === undefined || /requested URL returned error/.test(line)
  if (isStatus && reply?.target !== undefined && REDIRECTS.has(reply.status)) return reply.target
  const said = isStatus ? lines.findLast(each => each.startsWith('remote:')) : undefined
  const found = said ?? line ?? lines.find(each => /^(?:fatal|error):/.test(each)) ?? lines.at(-1)
  return (found ?? 'git failed without a message').replace(/^fatal: unable to access '[^']*': /, '')
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** The protocol of an address, as git names it. */
export function protocolOf(url: string): 'https' | 'http' | 'ssh' {
  if (url.startsWith('https://')) return 'https'
  return url.startsWith('http://') ? 'http' : 'ssh'
}
