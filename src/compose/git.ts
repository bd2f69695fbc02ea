import { join } from 'node:path'
import type { GitHost } from '../git/git-access.ts'
import type { GitRunner } from '../git/run-git.ts'
import type { Settings } from '../settings.ts'
import { makeTemporaryFolder } from '../store/database/temporary-folder.ts'

/** The settings of git. */
export type GitSettings = Pick<Settings, 'gitToken' | 'gitSshKey' | 'gitKnownHosts'>

/** The machine that runs git, with the credentials of the settings. */
export function gitHostOf(
  { gitToken, gitSshKey, gitKnownHosts }: GitSettings,
  environment: GitHost['environment'],
  kill: GitRunner['kill'],
): GitHost {
  return {
    environment,
    kill,
    ...(gitToken !== undefined && { token: gitToken }),
    ...(gitSshKey !== undefined && { sshKey: gitSshKey }),
    ...(gitKnownHosts !== undefined && { knownHosts: gitKnownHosts }),
  }
}

/**
 * Runs work with the folder for mirrors: in the data folder, or a temporary one if the database and the files are on
 * other machines, since such a node keeps nothing.
 */
export async function withMirrors<Value>(
  { data, database, files }: Pick<Settings, 'data' | 'database' | 'files'>,
  work: (mirrors: string) => Promise<Value>,
): Promise<Value> {
  if (database === undefined || files === undefined) return work(join(data, 'git'))
  await using folder = await makeTemporaryFolder()
  return await work(folder.path)
}
