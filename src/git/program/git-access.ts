import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { failed, type Result } from '../../base/result.ts'
import type { GitSource } from '../../settings/git-source.ts'
import { makeTemporaryFolder } from '../../store/database/temporary-folder.ts'
import type { Store } from '../../store/store.ts'
import { explainFailure } from './failure-message.ts'
import { basicCredentials, type Environment, gitEnvironment, protocolOf } from './git-environment.ts'
import type { GitProblem } from './git-problem.ts'
import { type GitRunner, runGit } from './run-git.ts'

/** The machine that runs git, and the credentials of the operator. */
export type GitHost = {
  /** The variables of this process; few of them are passed on. */
  environment: Environment
  kill: GitRunner['kill']
  token?: string
  sshKey?: string
  /** The path of a file with the keys of hosts. */
  knownHosts?: string
}

/** Everything that reading repositories needs. */
export type GitContext = {
  store: Store
  host: GitHost
  /** The folder for the mirrors of all sources. */
  mirrors: string
  /** The setting `--max-git`, in bytes. */
  maxGit: number
}

/** Secrets that no message may contain. */
export function secretsOf({ token }: GitHost): string[] {
  return token === undefined ? [] : [token, basicCredentials(token)]
}

/**
 * Runs work with access to a source. `home` is a private folder. ssh reads its key from a file that only this user can
 * read, and that is removed afterwards.
 */
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
  if (sshKey === undefined) return work(runnerWith({ ssh: { knownHosts } }))
  await using folder = await makeTemporaryFolder()
  const key = join(folder.path, 'key')
  await writeFile(key, sshKey, { mode: 0o600 })
  return await work(runnerWith({ ssh: { key, knownHosts } }))
}

function noKnownHosts(url: string): string {
  const fix =
    'write the keys of its host into a file with `ssh-keyscan`, compare them with the keys that the host publishes, and name the file with --git-known-hosts'
  return `cannot read ${url}: the host cannot prove who it is; ${fix}`
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
const INSTALL = 'install git 2.32 or newer (and ssh, for repositories by ssh), and put it into PATH'
