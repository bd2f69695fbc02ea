import { access, constants, stat, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { errorMessage } from '#platform/base/error.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { withReason } from '#platform/base/reason.ts'
import { attempt, failed } from '#platform/base/result.ts'
import { shellWord } from '#platform/base/text.ts'
import type { PublicTargets } from '#platform/outgoing/public-targets.ts'
import type { GitSource } from '#platform/settings/git-source.ts'
import type { Store } from '#store/store.ts'
import { makeTemporaryFolder } from '#store/temporary-folder.ts'
import { basicCredentials, type GitCredentials } from './credentials.ts'
import { explainFailure, type GitProblem, type GitResult, INSTALL, protocolOf } from './git-problem.ts'
import { TRACE } from './git-reply.ts'
import { type GitRunner, runGit } from './run-git.ts'

export type GitHost = {
  /** The variables of this process; few of them are passed on. */
  environment: Environment
  kill: GitRunner['kill']
  knownHosts?: string
  /** The addresses that hosts may name for files in Git LFS. */
  targets?: PublicTargets
} & GitCredentials

export type GitContext = {
  store: Store
  host: GitHost
  mirrors: string
  /** The setting `--max-git`, in bytes. */
  maxGit: number
}

/** Runs work with access to a source. `home` is a private folder. The key for ssh is in a file until the work ends. */
export async function withGitAccess<Value>(
  host: GitHost,
  { url }: GitSource,
  { home, signal }: { home: string; signal: AbortSignal },
  work: (runner: GitRunner) => Promise<GitResult<Value>>,
): Promise<GitResult<Value>> {
  const { environment, kill, token, knownHosts } = host
  /** A runner of git with nothing, a token or the files for ssh. */
  const runnerWith = (access: GitAccess): GitRunner => ({
    environment: gitEnvironment(environment, url, home, access),
    folder: home,
    kill,
    signal,
  })
  const unusable = await unusableGit(runnerWith({}))
  if (unusable) return failed(unusable)
  if (protocolOf(url) !== 'ssh') return work(runnerWith(token === undefined ? {} : { token }))
  if (knownHosts === undefined) return failed({ code: 'git_host_unknown', message: noKnownHosts(url) })
  const unreadable = await unreadableHosts(url, knownHosts)
  if (unreadable) return failed(unreadable)
  await using folder = await makeTemporaryFolder()
  const ssh = await writeSshFiles(folder.path, host, knownHosts)
  return await work(runnerWith({ ssh }))
}

/** The problem if git is missing, or older than the settings that protect from repositories. */
async function unusableGit(runner: GitRunner): Promise<GitProblem | undefined> {
  const { PATH = '' } = runner.environment
  if (usablePaths.has(PATH)) return undefined
  const answer = await runGit(runner, ['version'])
  if (!answer.ok && answer.problem.kind === 'killed') return explainFailure('read a repository', '', answer.problem)
  const version = answer.ok ? answer.value.trim().replace(/^git version /, '') : undefined
  const [major = 0, minor = 0] = (version ?? '').split('.').map(Number)
  if (major > MIN_VERSION[0] || (major === MIN_VERSION[0] && minor >= MIN_VERSION[1])) {
    usablePaths.add(PATH)
    return undefined
  }
  const why = version === undefined ? 'git is not installed' : `git ${version} is too old`
  return { code: 'git_missing', message: `cannot read a repository: ${why}; ${INSTALL}` }
}

/** The values of PATH with a usable git, which is checked only once. */
const usablePaths = new Set<string>()

/** The first version that ignores the configuration of system and user. */
const MIN_VERSION = [2, 32] as const

type Environment = Readonly<Partial<Record<string, string>>>

type GitAccess = {
  token?: string
  ssh?: SshFiles
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
    ...FIXED,
    HOME: home,
    XDG_CONFIG_HOME: home,
    GIT_ALLOW_PROTOCOL: protocol,
    ...(protocol !== 'ssh' && TRACE),
    GIT_SSH_COMMAND: sshCommand(access.ssh),
    GIT_CONFIG_COUNT: String(config.length),
    ...Object.fromEntries(
      config.flatMap(([key, value], at) => [
        [`GIT_CONFIG_KEY_${at}`, key],
        [`GIT_CONFIG_VALUE_${at}`, value],
      ]),
    ),
  }
}

/** The variables that are the same for each process. */
const FIXED = {
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '',
  GIT_EDITOR: ':',
  GIT_PAGER: 'cat',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_SSH_VARIANT: 'ssh',
}

/** The variables of this process that git gets, and those with paths of files or folders. */
const PASSED_ON = ['PATH', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy', 'NO_PROXY', 'no_proxy']
const FILES = ['TMPDIR', 'GIT_SSL_CAINFO', 'GIT_SSL_CAPATH', 'SSL_CERT_FILE', 'SSL_CERT_DIR']

/** The variables with these names that are set and not empty. */
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

/** The files for ssh: keys of hosts, the own key, and names of users that the system lacks. */
type SshFiles = { knownHosts: string; key?: string; users?: string }

async function writeSshFiles(folder: string, { environment, sshKey }: GitHost, knownHosts: string): Promise<SshFiles> {
  return withoutUndefined({
    knownHosts,
    key: sshKey === undefined ? undefined : await privateFile(join(folder, 'key'), sshKey),
    users: hasName(environment) ? undefined : await privateFile(join(folder, 'passwd'), await userLine(folder)),
  })
}

async function privateFile(path: string, text: string): Promise<string> {
  await writeFile(path, text, { mode: 0o600 })
  return path
}

/**
 * Whether ssh will find the name of this user. OpenShift and `docker run --user` use ids without names. A name that
 * libnss_wrapper gives this process does not reach git, whose environment is made from scratch.
 */
function hasName({ NSS_WRAPPER_PASSWD }: Environment): boolean {
  return NSS_WRAPPER_PASSWD === undefined && Boolean(attempt(() => userInfo().username))
}

/** The owner of a folder in the form of passwd(5). */
async function userLine(folder: string): Promise<string> {
  const { uid, gid } = await stat(folder)
  return `housestyle:x:${uid}:${gid}::${folder}:/bin/sh\n`
}

async function unreadableHosts(url: string, path: string): Promise<GitProblem | undefined> {
  try {
    await access(path, constants.R_OK)
    return undefined
  } catch (error) {
    const fix = 'correct --git-known-hosts, or let this user read the file'
    const message = `cannot read ${url}: the file of known hosts ${path} cannot be read; ${fix}`
    return { code: 'git_host_unknown', message: withReason(message, errorMessage(error)) }
  }
}

function noKnownHosts(url: string): string {
  const fix =
    'write the keys of its host into a file with `ssh-keyscan`, compare them with the keys that the host publishes, and name the file with --git-known-hosts'
  return `cannot read ${url}: the host cannot prove who it is; ${fix}`
}

function sshCommand(ssh: SshFiles | undefined): string {
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
  const words = options.flatMap(option => ['-o', shellWord(option)])
  return [...variables(ssh.users), 'ssh', '-F', '/dev/null', ...words].join(' ')
}

/**
 * The variables that give ssh a list of users through libnss_wrapper (Debian: libnss-wrapper). Without the library, ssh
 * names the user id that it does not find.
 */
function variables(users: string | undefined): string[] {
  if (users === undefined) return []
  return ['LD_PRELOAD=libnss_wrapper.so', `NSS_WRAPPER_PASSWD=${shellWord(users)}`, 'NSS_WRAPPER_GROUP=/etc/group']
}
