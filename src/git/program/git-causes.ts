import { type GitCredentials, hasPassphrase } from './credentials.ts'
import type { GitReply } from './git-reply.ts'

/** The causes of a failed pull, as docs/git.md lists them. */
export type GitProblemCode =
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

/** A failed command, and its errors. */
export type FailedCommand = {
  url: string
  isSsh: boolean
  /** The lines of its errors, without lines that never have a cause. */
  lines: readonly string[]
  reply: GitReply | undefined
  credentials: GitCredentials
}

/** A cause by its words in one line; the line is the reason, so advice and reason agree. */
type Cause = {
  words: RegExp
  code: GitProblemCode
  advice: string | ((command: FailedCommand, line: string) => string)
}

export type FoundCause = { code: GitProblemCode; advice: string; line: string }

/** Finds the cause of a failure. The names that git quotes do not count, such as the name of the repository. */
export function findCause(command: FailedCommand): FoundCause | undefined {
  const { lines, url } = command
  const plain = lines.map(line => line.replaceAll(url, '').replace(/'[^'\n]*'/g, "''"))
  for (const { words, code, advice } of CAUSES) {
    const line = lines[plain.findLastIndex(each => words.test(each))]
    if (line !== undefined) return { code, line, advice: typeof advice === 'string' ? advice : advice(command, line) }
  }
  return undefined
}

export const NEXT = 'a service tries again by itself'
export const MEMORY_FIX = `see the memory of the machine or container; ${NEXT}`
export const INSTALL = 'install git 2.32 or newer (and ssh, for repositories by ssh), and put it into PATH'

const TOKEN_FIX = 'give a token that may read it with HOUSESTYLE_GIT_TOKEN'
const KEY_FIX = 'give a key that may read it with HOUSESTYLE_GIT_SSH_KEY'
const accessFix = ({ isSsh }: FailedCommand) => (isSsh ? KEY_FIX : TOKEN_FIX)
const PROXY_FIX = `the proxy fails; check HTTPS_PROXY and NO_PROXY; ${NEXT}`

/** The first one counts. Those about this machine and the network are never in a line of the host. */
const CAUSES: readonly Cause[] = [
  {
    words: /^(?!remote:).*(?:No space left on device|quota exceeded)/i,
    code: 'pull_failed',
    advice: `the disk of this service is full; free some disk space; ${NEXT}`,
  },
  {
    words: /^(?!remote:).*(?:died of signal|out of memory|Cannot allocate memory)/i,
    code: 'pull_failed',
    advice: MEMORY_FIX,
  },
  {
    words:
      /^(?!remote:).*(?:Read-only file system|(?:cannot|unable to|could not|failed to) (?!read).*Permission denied)/i,
    code: 'pull_failed',
    advice: 'this user may not write into git/ of the data folder; let it own that folder',
  },
  {
    words: /No user exists for uid|You don't exist, go away/,
    code: 'pull_failed',
    advice:
      'ssh needs a name for the user id of this service; add the id to /etc/passwd, install libnss-wrapper, or read the repository by https with HOUSESTYLE_GIT_TOKEN',
  },
  { words: /ssh: (?:command )?not found|cannot run ssh/, code: 'git_missing', advice: `ssh is missing; ${INSTALL}` },
  { words: /requested URL returned error: 429\b/, code: 'git_unreachable', advice: limitAdvice },
  {
    words: /requested URL returned error: 30[12378]\b/,
    code: 'git_not_found',
    advice: 'the host redirects, which is not followed; write the new address of the repository',
  },
  { words: /requested URL returned error: (?:404|410)\b/, code: 'git_not_found', advice: notFoundAdvice },
  {
    words: /requested URL returned error: 40[13]\b/,
    code: 'git_refused',
    advice: (_, line) => `the host refuses access (${statusIn(line)}); ${TOKEN_FIX}`,
  },
  {
    words: /requested URL returned error: 407\b|(?:CONNECT|from|resolve) (?:tunnel|proxy)|Proxy CONNECT/i,
    code: 'git_unreachable',
    advice: PROXY_FIX,
  },
  {
    words: /requested URL returned error: 5\d\d\b/,
    code: 'git_unreachable',
    advice: (_, line) => `the host fails (${statusIn(line)}); ${NEXT}`,
  },
  {
    words: /requested URL returned error: \d+/,
    code: 'git_unreachable',
    advice: (_, line) => `the host refuses the request (${statusIn(line)}); check the address`,
  },
  { words: /Host key verification failed|host key (?:is|has)/i, code: 'git_host_unknown', advice: hostKeyAdvice },
  {
    words: /Permission denied \(|Too many authentication failures|key authentication failed/i,
    code: 'git_refused',
    advice: keyAdvice,
  },
  {
    words: /^(?!remote:).*(?:Could not resolve host|Name or service not known|in name resolution)/i,
    code: 'git_unreachable',
    advice: `the name of the host cannot be resolved; correct the address, or check DNS; ${NEXT}`,
  },
  {
    words: /^(?!remote:).*(?:Operation too slow|Timeout, server)/i,
    code: 'git_too_slow',
    advice: `the host sends too slowly; check the network; ${NEXT}`,
  },
  {
    words: /^(?!remote:).*(?:Connection refused|connect to|No route to host|unreachable|timed out)/i,
    code: 'git_unreachable',
    advice: connectAdvice,
  },
  { words: /^(?!remote:).*(?:certificate|SSL CA cert)/i, code: 'git_unreachable', advice: certificateAdvice },
  {
    words: /^(?!remote:).*(?:\b(?:gnu)?tls|\bSSL|wrong version number)/i,
    code: 'git_unreachable',
    advice: `the connection cannot be encrypted; check the address, and that its port uses TLS; ${NEXT}`,
  },
  {
    words: /no matching (?:host key|key exchange|cipher|MAC)/i,
    code: 'git_unreachable',
    advice: 'ssh and the host have no algorithm in common; update the ssh server, or read the repository by https',
  },
  {
    words: /dubious ownership/i,
    code: 'git_refused',
    advice:
      'at the host, the repository belongs to another user than the one that reads it; change its owner there, or add it to safe.directory of that user',
  },
  {
    words: /could not read (?:Username|Password)|Authentication failed/i,
    code: 'git_refused',
    advice: ({ credentials }) =>
      `the host ${credentials.token === undefined ? 'asks for a token' : 'does not accept the token'}; ${TOKEN_FIX}`,
  },
  {
    words: /(?:repository|project).*not (?:be )?found|does not (?:appear to be|exist)|not exported/i,
    code: 'git_not_found',
    advice: notFoundAdvice,
  },
  {
    words: /access denied|unauthori[sz]ed|not authori[sz]ed|permission to .*denied|\bSAML\b/i,
    code: 'git_refused',
    advice: command => `the host refuses access; ${accessFix(command)}`,
  },
  {
    words: /object [0-9a-f]{40,64}: |fsck error/,
    code: 'git_damaged',
    advice: 'check the repository with `git fsck`, and remove the broken object',
  },
  {
    words:
      /Connection (?:closed|reset)|kex_exchange|hung up|Empty reply|early EOF|RPC failed|transfer closed|disconnect/i,
    code: 'git_unreachable',
    advice: `the connection ended early; check the host, and whether it limits connections; ${NEXT}`,
  },
  {
    words: /bad line length/,
    code: 'git_not_found',
    advice: 'the host does not answer as git does; correct the address',
  },
]

function statusIn(line: string): string {
  return /error: (\d+)/.exec(line)?.[1] ?? ''
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

function keyAdvice({ credentials: { sshKey }, lines }: FailedCommand): string {
  if (sshKey === undefined) return `the host asks for a key; ${KEY_FIX}`
  if (hasPassphrase(sshKey))
    return 'the key in HOUSESTYLE_GIT_SSH_KEY has a passphrase, which a service cannot enter; give a key without one'
  const [unread] = lines.flatMap(line => /^Load key .*": (.+)$/.exec(line)?.[1] ?? [])
  if (unread !== undefined)
    return `ssh cannot load the key in HOUSESTYLE_GIT_SSH_KEY (${unread}); give the whole private key with its line ends`
  return `the host does not accept the key for this user name; register its public key there, or ${KEY_FIX}`
}

function connectAdvice({ url }: FailedCommand, line: string): string {
  const [, host = ''] = /Failed to connect to (\S+) port/i.exec(line) ?? []
  if (host !== '' && !url.toLowerCase().includes(host.toLowerCase())) return PROXY_FIX
  return `the host cannot be reached; check the address, its port and firewalls; ${NEXT}`
}

function certificateAdvice(_: FailedCommand, line: string): string {
  if (/expired/i.test(line)) return `the certificate of the host has expired; renew it there; ${NEXT}`
  if (/subject name|does not match/i.test(line)) return 'the certificate is for another host; correct the address'
  return 'check the certificate of the host; GIT_SSL_CAINFO names a file for a private authority'
}
