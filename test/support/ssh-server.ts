import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'
import { pathOf } from './programs.ts'
import { temporaryFolder } from './temporary.ts'
import { until } from './until.ts'

/** A real sshd on 127.0.0.1 for this user, with a key that it accepts. */
export type SshServer = {
  /** `ssh://user@127.0.0.1:…` */
  url: string
  /** A private key that the server accepts, and one that it does not. */
  key: string
  otherKey: string
  /** The path of a file with the key of the server, and of one with another key for it. */
  knownHosts: string
  wrongHosts: string
}

/** Starts the server, which stops with the tests. Its users have the programs in a folder. */
export async function startSshServer(programs?: string): Promise<SshServer> {
  // As root, the server requires this empty folder, which its systemd unit makes at boot.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 })
  const folder = await temporaryFolder()
  const port = await freePort()
  const at = (name: string) => join(folder, name)
  for (const name of ['host', 'user', 'other'])
    await promisify(execFile)('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', at(name)])
  const textOf = (name: string) => readFileSync(at(name), 'utf8')
  await writeFile(at('authorized_keys'), textOf('user.pub'))
  await writeFile(at('known_hosts'), `[127.0.0.1]:${port} ${textOf('host.pub')}`)
  await writeFile(at('wrong_hosts'), `[127.0.0.1]:${port} ${textOf('other.pub')}`)
  const config = [
    'ListenAddress 127.0.0.1',
    `Port ${port}`,
    `HostKey ${at('host')}`,
    `AuthorizedKeysFile ${at('authorized_keys')}`,
    `PidFile none`,
    'StrictModes no',
    'UsePAM no',
    'PasswordAuthentication no',
    'PermitRootLogin prohibit-password',
    ...(programs === undefined ? [] : [`SetEnv PATH=${programs}:${process.env.PATH}`]),
  ]
  await writeFile(at('sshd_config'), `${config.join('\n')}\n`)
  const server = spawn(pathOf('sshd') ?? 'sshd', ['-D', '-e', '-f', at('sshd_config')], { stdio: 'ignore' })
  after(async () => {
    server.kill()
    if (server.exitCode === null) await once(server, 'exit')
  })
  await until(() => isListening(port))
  return {
    url: `ssh://${userInfo().username}@127.0.0.1:${port}`,
    key: textOf('user'),
    otherKey: textOf('other'),
    knownHosts: at('known_hosts'),
    wrongHosts: at('wrong_hosts'),
  }
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
