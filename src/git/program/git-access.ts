import { resolve } from 'node:path'
import { failed, type Result } from '../../base/result.ts'
import type { GitSource } from '../../settings/git-source.ts'
import { makeTemporaryFolder } from '../../store/database/temporary-folder.ts'
import type { Store } from '../../store/store.ts'
import { basicCredentials, type GitCredentials } from './credentials.ts'
import { explainFailure, type GitProblem, INSTALL, protocolOf, TRACE } from './git-problem.ts'
import { type GitRunner, runGit } from './run-git.ts'
import { noKnownHosts, type SshFiles, sshCommand, unreadableHosts, writeSshFiles } from './ssh-command.ts'

/** The machine that runs git, and the credentials of the operator. */
export type GitHost = {
  /** The variables of this process; few of them are passed on. */
  environment: Environment
  kill: GitRunner['kill']
  knownHosts?: string
} & GitCredentials

export type GitContext = {
  store: Store
  host: GitHost
  /** The folder for the mirrors of all sources. */
  mirrors: string
  /** The setting `--max-git`, in bytes. */
  maxGit: number
}

/** Runs work with access to a source. `home` is a private folder. The key for ssh is in a file until the work ends. */
export async function withGitAccess<Value>(
  host: GitHost,
  { url }: GitSource,
  { home, signal }: { home: string; signal: AbortSignal },
  work: (runner: GitRunner) => Promise<Result<Value, GitProblem>>,
): Promise<Result<Value, GitProblem>> {
  const { environment, kill, token, sshKey, knownHosts } = host
  const runnerWith = (access: Parameters<typeof gitEnvironment>[3]): GitRunner => ({
    environment: gitEnvironment(environment, url, home, access),
    folder: home,
    kill,
    signal,
  })
  const old = await oldGit(runnerWith({}))
  if (old) return failed(old)
  if (protocolOf(url) !== 'ssh') return work(runnerWith(token === undefined ? {} : { token }))
  if (knownHosts === undefined) return failed({ code: 'git_host_unknown', message: noKnownHosts(url) })
  const unreadable = await unreadableHosts(url, knownHosts)
  if (unreadable) return failed(unreadable)
  await using folder = await makeTemporaryFolder()
  const ssh = await writeSshFiles(folder.path, { environment, sshKey, knownHosts })
  return await work(runnerWith({ ssh }))
}

/** The problem if git is missing, or older than the settings that protect from repositories. */
async function oldGit(runner: GitRunner): Promise<GitProblem | undefined> {
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

/** The credentials of repositories, and the files for ssh. */
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
    ...(protocol !== 'ssh' && TRACE),
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_SSH_VARIANT: 'ssh',
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

const PASSED_ON = ['PATH', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy', 'NO_PROXY', 'no_proxy']
const FILES = ['TMPDIR', 'GIT_SSL_CAINFO', 'GIT_SSL_CAPATH', 'SSL_CERT_FILE', 'SSL_CERT_DIR']

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
