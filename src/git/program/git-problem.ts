import { quote } from '../../base/text.ts'

/** Why a repository could not be pulled. The message states attempt, problem and fix, and never has a secret. */
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

export type GitFailure =
  | { kind: 'missing' | 'slow' | 'killed' | 'failed'; stderr: string }
  | { kind: 'stopped'; problem: GitProblem }

export function sourceName({ url, ref, path }: { url: string; ref?: string; path?: string }): string {
  return `${url}${ref === undefined ? '' : ` (${ref})`}${path === undefined ? '' : ` ${path}/`}`
}

/** Explains a failed command. Its errors are untrusted, so they are cleaned, and secrets replaced. */
export function explainFailure(
  attempt: string,
  url: string,
  failure: GitFailure,
  secrets: readonly string[] = [],
): GitProblem {
  if (failure.kind === 'stopped') return failure.problem
  const problem = (code: GitProblem['code'], why: string) => ({ code, message: `cannot ${attempt}: ${why}` })
  if (failure.kind === 'missing') return problem('git_missing', `git is not installed; ${INSTALL}`)
  if (failure.kind === 'slow')
    return problem('git_too_slow', 'it took too long; check the network, or make the repository smaller')
  if (failure.kind === 'killed') return problem('pull_failed', `git was killed; ${MEMORY_FIX}`)
  const line = errorLine(failure.stderr, secrets)
  const [code, fix] = causeOf(failure.stderr, url)
  return problem(code, `${line}; ${fix}`)
}

const INSTALL = 'install git 2.32 or newer (and ssh, for repositories by ssh), and put it into PATH'

/** The cause by the words of git and ssh. Quoted names do not count, such as the name of the repository. */
function causeOf(errors: string, url: string): [GitProblem['code'], fix: string] {
  const isSsh = protocolOf(url) === 'ssh'
  const stderr = errors.replaceAll(url, '').replace(/'[^'\n]*'/g, "''")
  if (FULL_DISK.test(stderr)) return ['pull_failed', `free some disk space; ${NEXT}`]
  if (NO_MEMORY.test(stderr)) return ['pull_failed', MEMORY_FIX]
  if (/Host key verification failed|host key (?:is|has)|IDENTIFICATION HAS CHANGED/i.test(stderr))
    return ['git_host_unknown', 'compare the key of the host, and add it to the file of --git-known-hosts']
  if (/repository.*not found|does not (?:appear to be|exist)|error: 404\b/i.test(stderr))
    return ['git_not_found', `correct the address, or ${isSsh ? KEY_FIX : TOKEN_FIX}`]
  if (
    /Permission denied|could not read (?:Username|Password)|Authentication failed|error: 40[13]\b|access denied/i.test(
      stderr,
    )
  )
    return ['git_refused', isSsh ? KEY_FIX : TOKEN_FIX]
  if (/ certificate |SSL CA cert/i.test(stderr)) return ['git_unreachable', AUTHORITY_FIX]
  if (/redirection:|error: 30[12378]\b/i.test(stderr))
    return ['git_not_found', 'write the new address of the repository']
  if (/object [0-9a-f]{40,64}: |fsck error/.test(stderr))
    return ['git_damaged', 'check the repository with `git fsck`, and remove the broken object']
  return ['git_unreachable', `check the address and the network; ${NEXT}`]
}

const FULL_DISK = /No space left on device|quota exceeded/i
const NO_MEMORY = /died of signal|out of memory|Cannot allocate memory/i
const NEXT = 'the next attempt follows by itself'
const MEMORY_FIX = `see the memory of the machine or container; ${NEXT}`

const TOKEN_FIX = 'give a token that may read it with HOUSESTYLE_GIT_TOKEN'
const AUTHORITY_FIX = 'check the certificate of the host; GIT_SSL_CAINFO names a file for a private authority'
const KEY_FIX = 'give a key that may read it with HOUSESTYLE_GIT_SSH_KEY'

/** The first line with a cause, on one line without control characters. */
function errorLine(stderr: string, secrets: readonly string[]): string {
  const lines = stderr.split(/[\r\n]+/).flatMap(line => line.trim() || [])
  const line =
    lines.find(each => FULL_DISK.test(each)) ??
    lines.find(each => /^(?:fatal|error):/.test(each)) ??
    lines.at(-1) ??
    'git failed without a message'
  const plain = secrets.reduce((text, secret) => text.replaceAll(secret, '…'), line.replace(/\/\/[^/\s]*@/g, '//…@'))
  const clean = plain.replace(/^(?:fatal|error): /, '').replace(/[\p{Cc}\p{Cf}]/gu, ' ')
  return clean.length > MAX_LINE ? quote(clean) : clean
}

const MAX_LINE = 300

/** The protocol of an address, as git names it. */
export function protocolOf(url: string): 'https' | 'http' | 'ssh' {
  if (url.startsWith('https://')) return 'https'
  return url.startsWith('http://') ? 'http' : 'ssh'
}
