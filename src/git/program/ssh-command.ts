import { access, constants, stat, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { errorMessage } from '../../base/error.ts'
import { withoutUndefined } from '../../base/object.ts'
import { withReason } from '../../base/reason.ts'
import { shellWord } from '../../base/text.ts'
import type { GitProblem } from './git-problem.ts'

/** The files for ssh: keys of hosts, the own key, and names of users that the system lacks. */
export type SshFiles = { knownHosts: string; key?: string; users?: string }

type SshSource = {
  environment: Readonly<Partial<Record<string, string>>>
  sshKey: string | undefined
  knownHosts: string
}

/** Writes the files that ssh needs into a private folder. */
export async function writeSshFiles(folder: string, { environment, sshKey, knownHosts }: SshSource): Promise<SshFiles> {
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
function hasName({ NSS_WRAPPER_PASSWD }: SshSource['environment']): boolean {
  try {
    return NSS_WRAPPER_PASSWD === undefined && userInfo().username !== ''
  } catch {
    return false
  }
}

/** A list of users with the owner of a folder, in the form of passwd(5). */
async function userLine(folder: string): Promise<string> {
  const { uid, gid } = await stat(folder)
  return `housestyle:x:${uid}:${gid}::${folder}:/bin/sh\n`
}

/** The problem if the file with the keys of hosts cannot be read. */
export async function unreadableHosts(url: string, path: string): Promise<GitProblem | undefined> {
  try {
    await access(path, constants.R_OK)
    return undefined
  } catch (error) {
    const fix = 'correct --git-known-hosts, or let this user read the file'
    const message = `cannot read ${url}: the file of known hosts ${path} cannot be read; ${fix}`
    return { code: 'git_host_unknown', message: withReason(message, errorMessage(error)) }
  }
}

export function noKnownHosts(url: string): string {
  const fix =
    'write the keys of its host into a file with `ssh-keyscan`, compare them with the keys that the host publishes, and name the file with --git-known-hosts'
  return `cannot read ${url}: the host cannot prove who it is; ${fix}`
}

/** The command with which git connects by ssh, for a shell; without files, no command. */
export function sshCommand(ssh: SshFiles | undefined): string {
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
