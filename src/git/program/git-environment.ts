import { resolve } from 'node:path'
import { shellWord } from '../../base/text.ts'

export type Environment = Readonly<Partial<Record<string, string>>>

/** The credentials of repositories, and the files with keys for ssh. */
export type GitAccess = {
  token?: string
  /** The paths of a private key and of the keys of hosts. */
  ssh?: { key?: string; knownHosts: string }
}

/**
 * The whole environment of a git process. It has no configuration of the system or the user, no prompts, hooks, filters
 * or credential helpers, and only the one protocol. The token is in the configuration that git takes from its
 * environment, so it is in no argument and no file.
 */
export function gitEnvironment(own: Environment, url: string, home: string, access: GitAccess): Record<string, string> {
  const protocol = protocolOf(url)
  const config = [...CONFIG, ...(protocol === 'ssh' ? [] : authorization(url, access.token))]
  return {
    ...given(PASSED_ON, own, value => value),
    // git runs in another folder than this process.
    ...given(FILES, own, value => resolve(value)),
    LC_ALL: 'C',
    HOME: home,
    XDG_CONFIG_HOME: home,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    GIT_EDITOR: ':',
    GIT_PAGER: 'cat',
    GIT_ALLOW_PROTOCOL: protocol,
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_SSH_VARIANT: 'ssh',
    GIT_SSH_COMMAND: sshCommand(access),
    GIT_CONFIG_COUNT: String(config.length),
    ...Object.fromEntries(
      config.flatMap(([key, value], at) => [
        [`GIT_CONFIG_KEY_${at}`, key],
        [`GIT_CONFIG_VALUE_${at}`, value],
      ]),
    ),
  }
}

/** The protocol of an address, as git names it. */
export function protocolOf(url: string): 'https' | 'http' | 'ssh' {
  if (/^https:\/\//i.test(url)) return 'https'
  return /^http:\/\//i.test(url) ? 'http' : 'ssh'
}

/** Variables of the operator for programs and proxies. */
const PASSED_ON = ['PATH', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy', 'NO_PROXY', 'no_proxy']
/** Variables of the operator that name files and folders. */
const FILES = ['TMPDIR', 'GIT_SSL_CAINFO', 'GIT_SSL_CAPATH', 'SSL_CERT_FILE', 'SSL_CERT_DIR']

/** The variables of these names that have a value. */
function given(names: readonly string[], own: Environment, convert: (value: string) => string) {
  return Object.fromEntries(names.flatMap(name => (own[name] ? [[name, convert(own[name])]] : [])))
}

/** git-config(1). The keys of `fetch.fsck` concern the age of a repository, or names that our own check explains. */
const CONFIG: readonly (readonly [key: string, value: string])[] = [
  ['core.hooksPath', '/dev/null'],
  ['core.attributesFile', '/dev/null'],
  ['core.excludesFile', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.symlinks', 'false'],
  ['core.protectHFS', 'true'],
  ['core.protectNTFS', 'true'],
  ['core.bigFileThreshold', '64m'],
  ['core.packedGitWindowSize', '32m'],
  ['core.packedGitLimit', '512m'],
  ['credential.helper', ''],
  ['safe.directory', '*'],
  ['fetch.fsckObjects', 'true'],
  ...['zeroPaddedFilemode', 'badTimezone', 'missingSpaceBeforeDate', 'hasDotgit', 'hasDot', 'hasDotdot'].map(
    (id): [string, string] => [`fetch.fsck.${id}`, 'ignore'],
  ),
  ['fetch.recurseSubmodules', 'false'],
  ['fetch.unpackLimit', '1'],
  ['fetch.writeCommitGraph', 'false'],
  ['submodule.recurse', 'false'],
  ['transfer.credentialsInUrl', 'die'],
  ['transfer.bundleURI', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['http.followRedirects', 'false'],
  ['http.lowSpeedLimit', '1000'],
  ['http.lowSpeedTime', '30'],
  ['log.showSignature', 'false'],
  ['pack.threads', '1'],
]

/** Sent only to this server, and not after a redirect. */
function authorization(url: string, token: string | undefined): [key: string, value: string][] {
  if (token === undefined) return []
  return [[`http.${new URL(url).origin}/.extraHeader`, `Authorization: Basic ${basicCredentials(token)}`]]
}

/** A token with its user name, as in RFC 7617 §2. Most hosts ignore the name. */
export function basicCredentials(token: string): string {
  return Buffer.from(token.includes(':') ? token : `x-access-token:${token}`).toString('base64')
}

function sshCommand({ ssh }: GitAccess): string {
  if (!ssh) return 'false'
  const options = [
    'BatchMode=yes',
    'StrictHostKeyChecking=yes',
    `UserKnownHostsFile="${ssh.knownHosts}"`,
    'GlobalKnownHostsFile=/dev/null',
    'UpdateHostKeys=no',
    'IdentityAgent=none',
    'IdentitiesOnly=yes',
    `IdentityFile=${ssh.key === undefined ? 'none' : `"${ssh.key}"`}`,
    'PasswordAuthentication=no',
    'KbdInteractiveAuthentication=no',
    'ClearAllForwardings=yes',
    'ForwardAgent=no',
    'PermitLocalCommand=no',
    'ControlMaster=no',
    'ControlPath=none',
    'ConnectTimeout=20',
    'ServerAliveInterval=15',
    'ServerAliveCountMax=2',
  ]
  return ['ssh', '-F', '/dev/null', ...options.flatMap(option => ['-o', shellWord(option)])].join(' ')
}
