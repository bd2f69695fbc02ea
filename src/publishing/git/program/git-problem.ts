import { withoutUndefined } from '#platform/base/object.ts'
import { withReason } from '#platform/base/reason.ts'
import type { Result } from '#platform/base/result.ts'
import { anyOf, groupsOf } from '#platform/base/text.ts'
import { type GitCredentials, hasPassphrase, namesOf, secretsOf } from './credentials.ts'
import { type GitReply, isTraced, readReply } from './git-reply.ts'

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

export type GitResult<Value> = Result<Value, GitProblem>

/** A commit, without the address of its author. */
export type Commit = { hash: string; author: string; subject: string }

export type GitFailure =
  | { kind: 'missing' | 'slow' | 'killed' | 'failed'; stderr: string }
  | { kind: 'stopped'; problem: GitProblem }

/**
 * Explains why a command of git failed: our advice, then the reason that git, ssh or the host gave. These are untrusted,
 * so they are cleaned.
 *
 * @param attempt what was attempted, after "cannot": `read https://github.com/acme/brand`
 * @param other the code and the advice if the cause is not known
 */
export function explainFailure(
  attempt: string,
  url: string,
  failure: GitFailure,
  credentials: GitCredentials = {},
  other: Pick<FoundCause, 'code' | 'advice'> = { code: 'git_unreachable', advice: OTHER },
): GitProblem {
  if (failure.kind === 'stopped') return failure.problem
  const problem = (code: GitProblemCode, why: string) => ({ code, message: `cannot ${attempt}: ${why}` })
  if (failure.kind === 'missing') return problem('git_missing', `git is not installed; ${INSTALL}`)
  if (failure.kind === 'slow')
    return problem('git_too_slow', 'it took too long; check the network, or make the repository smaller')
  if (failure.kind === 'killed') return problem('pull_failed', `git was killed; ${MEMORY_FIX}`)
  const lines = failure.stderr
    .split(/[\r\n]+/)
    .flatMap(line => (isTraced(line) ? [] : line.slice(0, MAX_LINE).trim() || []))
    .filter(line => !TRAILER.test(line))
  const reply = readReply(failure.stderr, url, new Date())
  const command = { url, isSsh: protocolOf(url) === 'ssh', lines, reply, credentials }
  const { code, advice, line } = findCause(command) ?? { ...other, line: undefined }
  const { message } = problem(code, advice)
  const reason = withReason(message, reasonLine(lines, line, reply), secretsOf(credentials))
  const waitMs = reply?.waitMs ?? (reply?.status === 429 ? LIMITED_MS : undefined)
  return { code, message: reason, ...withoutUndefined({ waitMs }) }
}

/** Ends the errors of git about ssh, which has given its own reason before. */
const TRAILER =
  /^(?:fatal: Could not read from remote repository\.|Please make sure you have the correct access rights|and the repository exists\.)$|^[^\p{L}\d]*$|^remote:[^\p{L}\d]*$/u

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
  | 'git_damaged'
  | 'git_no_branch'
  | 'git_push_refused'
  | 'git_push_late'
  | 'edit_refused'
  | 'edit_denied'
  | 'edit_unchecked'
  | 'workspace_missing'
  | 'pull_failed'

type FailedCommand = {
  url: string
  isSsh: boolean
  lines: readonly string[]
  reply: GitReply | undefined
  credentials: GitCredentials
}

/** Characters of a line that may name the cause. */
const MAX_LINE = 1000

/** A cause by its words in one line; the line is the reason, so advice and reason agree. */
type Cause = {
  words: RegExp
  code: GitProblemCode
  advice: string | ((command: FailedCommand, line: string) => string)
}

type FoundCause = { code: GitProblemCode; advice: string; line: string }

/** Finds the cause of a failure. The names that git quotes do not count, such as the name of the repository. */
function findCause(command: FailedCommand): FoundCause | undefined {
  const { lines, url } = command
  const withoutNames = lines.map(line => line.replaceAll(url, '').replace(/'[^'\n]*'/g, "''"))
  for (const { words, code, advice } of CAUSES) {
    const line = lines[withoutNames.findLastIndex(text => words.test(text))]
    if (line !== undefined) return { code, line, advice: typeof advice === 'string' ? advice : advice(command, line) }
  }
  return undefined
}

const NEXT = 'a service tries again by itself'
const MEMORY_FIX = `see the memory of the machine or container; ${NEXT}`
export const INSTALL = 'install git 2.32 or newer (and ssh, for repositories by ssh), and put it into PATH'

const accessFix = ({ isSsh, credentials }: FailedCommand) => {
  const { token, sshKey, may } = namesOf(credentials)
  return isSsh ? `give a key that may ${may} with ${sshKey}` : `give a token that may ${may} with ${token}`
}
const PROXY_FIX = `the proxy fails; check HTTPS_PROXY and NO_PROXY; ${NEXT}`

const pullFailed = cause('pull_failed')
const unreachable = cause('git_unreachable')
const refused = cause('git_refused')
const notFound = cause('git_not_found')

/** The first one counts. Those about this machine and the network are never in a line of the host (`remote: …`). */
const CAUSES: readonly Cause[] = [
  pullFailed(
    here('No space left on device', 'quota exceeded'),
    `the disk of this service is full; free some disk space; ${NEXT}`,
  ),
  pullFailed(here('died of signal', 'out of memory', 'Cannot allocate memory'), MEMORY_FIX),
  pullFailed(
    /^(?!remote:).*(?:Read-only file system|(?:cannot|unable to|could not|failed to) (?!read).*Permission denied)/i,
    'this user may not write into git/ of the data folder; let it own that folder',
  ),
  pullFailed(
    saying('No user exists for uid', "You don't exist, go away"),
    'ssh needs a name for the user id of this service; add the id to /etc/passwd, install libnss-wrapper, or read the repository by https with HOUSESTYLE_GIT_TOKEN',
  ),
  cause('git_missing')(
    saying('ssh: command not found', 'ssh: not found', 'cannot run ssh'),
    `ssh is missing; ${INSTALL}`,
  ),
  unreachable(status(429), limitAdvice),
  notFound(
    status(301, 302, 303, 307, 308),
    'the host redirects, which is not followed; write the new address of the repository',
  ),
  notFound(status(404, 410), notFoundAdvice),
  refused(status(401, 403), (command, line) => `the host refuses access (${statusIn(line)}); ${accessFix(command)}`),
  unreachable(status(407), PROXY_FIX),
  unreachable(
    saying(
      'CONNECT tunnel',
      'CONNECT proxy',
      'from tunnel',
      'from proxy',
      'resolve tunnel',
      'resolve proxy',
      'Proxy CONNECT',
    ),
    PROXY_FIX,
  ),
  unreachable(/requested URL returned error: 5\d\d\b/, (_, line) => `the host fails (${statusIn(line)}); ${NEXT}`),
  unreachable(
    /requested URL returned error: \d+/,
    (_, line) => `the host refuses the request (${statusIn(line)}); check the address`,
  ),
  cause('git_host_unknown')(saying('Host key verification failed', 'host key is', 'host key has'), hostKeyAdvice),
  refused(saying('Permission denied (', 'Too many authentication failures', 'key authentication failed'), keyAdvice),
  unreachable(
    here('Could not resolve host', 'Name or service not known', 'in name resolution'),
    `the name of the host cannot be resolved; correct the address, or check DNS; ${NEXT}`,
  ),
  cause('git_too_slow')(
    here('Operation too slow', 'Timeout, server'),
    `the host sends too slowly; check the network; ${NEXT}`,
  ),
  unreachable(here('Connection refused', 'connect to', 'No route to host', 'unreachable', 'timed out'), connectAdvice),
  unreachable(here('certificate', 'SSL CA cert'), certificateAdvice),
  unreachable(
    /^(?!remote:).*(?:\b(?:gnu)?tls|\bSSL|wrong version number)/i,
    `the connection cannot be encrypted; check the address, and that its port uses TLS; ${NEXT}`,
  ),
  unreachable(
    saying('no matching host key', 'no matching key exchange', 'no matching cipher', 'no matching MAC'),
    'ssh and the host have no algorithm in common; update the ssh server, or read the repository by https',
  ),
  refused(
    saying('dubious ownership'),
    'at the host, the repository belongs to another user than the one that reads it; change its owner there, or add it to safe.directory of that user',
  ),
  refused(
    saying('could not read Username', 'could not read Password', 'Authentication failed'),
    command =>
      `the host ${command.credentials.token === undefined ? 'asks for a token' : 'does not accept the token'}; ${accessFix(command)}`,
  ),
  notFound(
    saying(
      'repository…not found',
      'repository…not be found',
      'project…not found',
      'project…not be found',
      'does not appear to be',
      'does not exist',
      'not exported',
    ),
    notFoundAdvice,
  ),
  refused(
    saying(
      'access denied',
      'unauthorized',
      'unauthorised',
      'not authorized',
      'not authorised',
      'permission to …denied',
    ),
    command => `the host refuses access; ${accessFix(command)}`,
  ),
  refused(/\bSAML\b/i, command => `the host refuses access; ${accessFix(command)}`),
  cause('git_push_late')(
    here(
      '(fetch first',
      '(non-fast-forward',
      '(stale info',
      '(incorrect old value',
      'cannot lock ref',
      'failed to update ref',
    ),
    'somebody else pushes to the branch at the same time; save again',
  ),
  cause('git_damaged')(
    /object [0-9a-f]{40,64}: |fsck error/,
    'check the repository with `git fsck`, and remove the broken object',
  ),
  unreachable(
    saying(
      'Connection closed',
      'Connection reset',
      'kex_exchange',
      'hung up',
      'Empty reply',
      'early EOF',
      'RPC failed',
      'transfer closed',
      'disconnect',
    ),
    `the connection ended early; check the host, and whether it limits connections; ${NEXT}`,
  ),
  notFound(saying('bad line length'), 'the host does not answer as git does; correct the address'),
]

/** A pattern of any of these words, in any case. An ellipsis is any text. */
function saying(...words: readonly string[]): RegExp {
  return new RegExp(choice(words), 'i')
}

/** A pattern of these words in a line that does not come from the host. */
function here(...words: readonly string[]): RegExp {
  return new RegExp(`^(?!remote:).*${choice(words)}`, 'i')
}

/** A pattern of the line in which git gives one of these statuses of HTTP. */
function status(...codes: readonly number[]): RegExp {
  return new RegExp(`requested URL returned error: ${anyOf(codes.map(String))}\\b`)
}

function choice(words: readonly string[]): string {
  return anyOf(words).replaceAll('…', '.*')
}

/** Makes causes with a code. */
function cause(code: GitProblemCode) {
  return (words: RegExp, advice: Cause['advice']): Cause => ({ words, code, advice })
}

function statusIn(line: string): string {
  return groupsOf(/error: (\d+)/, line)[1] ?? ''
}

function limitAdvice({ reply }: FailedCommand): string {
  const minutes = Math.ceil((reply?.waitMs ?? 0) / 60_000)
  const wait = minutes > 1 ? `the host asks to wait ${minutes} minutes, after which ${NEXT}` : NEXT
  return `the host limits requests (429); ${wait}`
}

function notFoundAdvice(command: FailedCommand): string {
  return `the host has no such repository, or hides it; correct the address, or ${accessFix(command)}`
}

function hostKeyAdvice({ lines }: FailedCommand): string {
  const all = lines.join('\n')
  const compare = 'compare the key of the host with the keys that it publishes'
  if (/revoked/i.test(all))
    return `--git-known-hosts marks the key of the host as revoked; ${compare}, and correct the file`
  if (/has changed/i.test(all)) return `--git-known-hosts has another key of the host; ${compare}, and correct the file`
  return `--git-known-hosts has no key of the host; ${compare}, and add it to that file`
}

function keyAdvice(command: FailedCommand): string {
  const { credentials, lines } = command
  const { sshKey } = credentials
  const name = namesOf(credentials).sshKey
  if (sshKey === undefined) return `the host asks for a key; ${accessFix(command)}`
  if (hasPassphrase(sshKey))
    return `the key in ${name} has a passphrase, which a service cannot enter; give a key without one`
  const [unread] = lines.flatMap(line => groupsOf(/^Load key .*": (.+)$/, line)[1] ?? [])
  if (unread !== undefined)
    return `ssh cannot load the key in ${name} (${unread}); give the whole private key with its line ends`
  return `the host does not accept the key for this user name; register its public key there, or ${accessFix(command)}`
}

function connectAdvice({ url }: FailedCommand, line: string): string {
  const [, host = ''] = groupsOf(/Failed to connect to (\S+) port/i, line)
  if (host !== '' && !url.toLowerCase().includes(host.toLowerCase())) return PROXY_FIX
  return `the host cannot be reached; check the address, its port and firewalls; ${NEXT}`
}

function certificateAdvice(_: FailedCommand, line: string): string {
  if (/expired/i.test(line)) return `the certificate of the host has expired; renew it there; ${NEXT}`
  if (/subject name|does not match/i.test(line)) return 'the certificate is for another host; correct the address'
  return 'check the certificate of the host; GIT_SSL_CAINFO names a file for a private authority'
}

const OTHER = `git or the host gives this reason; ${NEXT}`

const LIMITED_MS = 5 * 60_000

/**
 * The reason in a failed command's errors. The host's own words count most if the cause is unknown or only a status of
 * HTTP; after a redirect, its target. Else the line that has the cause, then the first error, then the last line.
 *
 * @param causeLine the line that has the cause, if it is known
 */
function reasonLine(lines: readonly string[], causeLine: string | undefined, reply: GitReply | undefined): string {
  const hostKnows = causeLine === undefined || /requested URL returned error/.test(causeLine)
  if (hostKnows && reply?.target !== undefined && REDIRECTS.has(reply.status)) return reply.target
  const remoteLines = hostKnows ? lines.filter(line => line.startsWith('remote:')) : []
  const isLong = causeLine === undefined && remoteLines.length > 1
  const fromHost = isLong ? remoteLines.join(' ').replaceAll(/ remote:/g, '') : remoteLines.at(-1)
  const reason = fromHost ?? causeLine ?? lines.find(line => /^(?:fatal|error):/.test(line)) ?? lines.at(-1)
  return (reason ?? 'git failed without a message').replace(/^fatal: unable to access '[^']*': /, '')
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

export function protocolOf(url: string): 'https' | 'http' | 'ssh' {
  if (url.startsWith('https://')) return 'https'
  return url.startsWith('http://') ? 'http' : 'ssh'
}
