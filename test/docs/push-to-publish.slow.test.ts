import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import test from 'node:test'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { needs, pathOf } from '../support/programs.ts'
import { type Block, blocksOf, shows, stepsOf } from './blocks.ts'
import { type Session, startSession } from './session.ts'

const PATH = 'docs/push-to-publish.md'
const PAGE = readFileSync(new URL(`../../${PATH}`, import.meta.url), 'utf8')
const FILES = blocksOf(PAGE).filter(({ title }) => title !== '')

test(
  `every command of ${PATH} does what it says, with git and SSH`,
  needs('bash', 'curl', 'flock', 'git', 'root', 'ssh', 'ssh-keygen', 'sshd'),
  async t => {
    const session = await startSession()
    t.after(session.end)
    await answerBySsh(session)
    let reached = 0
    for (const { commands, shown } of stepsOf(PAGE)) {
      let outputs = ''
      for (const { text, line, exit } of commands) {
        const files = FILES.filter(file => file.line > reached && file.line < line)
        for (const file of files) await write(session, file)
        reached = line
        const done = await session.run(text)
        assert.equal(done.exit, exit, `${PATH}:${line} ${text}\n${done.output}${done.complaint}`)
        outputs += done.output
      }
      if (shown === undefined || shows(shown, outputs)) continue
      assert.equal(outputs, shown.text, `${PATH}:${commands[0]?.line} ${commands[0]?.text} prints different output`)
    }
  },
)

test(`the workflow of ${PATH} is valid YAML and runs on a push to main`, () => {
  const workflows = FILES.filter(({ language }) => language === 'yaml')
  assert.equal(workflows.length, 1)
  for (const { text } of workflows) assert.deepEqual(parse(text).on, { push: { branches: ['main'] } })
})

test('receive-brand leaves no folder behind after any archive, failure or signal', needs('flock'), async t => {
  const session = await startSession()
  t.after(session.end)
  for (const file of FILES.filter(({ title }) => title.startsWith('bin/'))) await write(session, file)
  const made = await session.run(
    'chmod +x bin/* && housestyle init nova && housestyle import nova --data data && tar -cf nova.tar -C nova . && mkdir -p locked/a/b && chmod -R 555 locked && tar -cf locked.tar locked && mkdir other && echo "id: other" > other/workspace.yaml && tar -cf other.tar -C other .',
  )
  assert.equal(made.exit, 0, made.complaint)
  const received = join(session.folder, 'received')
  const sent: [archive: string, exit: number][] = [
    ['nova.tar', 0],
    ['other.tar', 1],
    ['locked.tar', 1],
    ['/dev/null', 2],
  ]
  for (const [archive, exit] of sent) {
    const done = await session.run(`bin/receive-brand < ${archive}`)
    assert.deepEqual([archive, done.exit, existsSync(received)], [archive, exit, false], done.complaint)
  }
  for (const [signal, isLeft] of [
    ['TERM', false],
    ['HUP', false],
    ['KILL', true],
  ] as const) {
    const killed = `mkfifo pipe-${signal}; bin/receive-brand < pipe-${signal} & exec 7> pipe-${signal}
      until [ -d received/nova ]; do sleep 0.05; done
      kill -${signal} $!; exec 7>&-; wait $!; flock receive-brand.lock true`
    await session.run(killed)
    assert.deepEqual([signal, existsSync(received)], [signal, isLeft])
  }
  const again = await session.run('bin/receive-brand < nova.tar')
  assert.deepEqual([again.exit, existsSync(received)], [0, false], again.complaint)
})

/** Writes a file that the page shows. */
async function write({ folder }: Session, { title, text }: Block): Promise<void> {
  const path = join(folder, title)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}

/** Connects `ssh` through pipes, without a port, to a server that uses the session's folder as its home. */
async function answerBySsh({ folder }: Session): Promise<void> {
  // As root, the server requires this empty folder, which its systemd unit makes at boot.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 })
  const own = join(folder, '.server')
  await mkdir(own)
  const key = join(own, 'host_key')
  await promisify(execFile)('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key])
  const server = [
    `HostKey ${key}`,
    `AuthorizedKeysFile ${join(folder, '.ssh/authorized_keys')}`,
    'StrictModes no',
    'UsePAM no',
    'PasswordAuthentication no',
    'PermitRootLogin prohibit-password',
    `SetEnv HOME=${folder} PATH=${join(folder, '.bin')}:${process.env.PATH}`,
  ]
  await writeFile(join(own, 'sshd_config'), `${server.join('\n')}\n`)
  const [type, bytes] = readFileSync(`${key}.pub`, 'utf8').split(' ')
  await appendFile(join(own, 'known_hosts'), `brand.example.com ${type} ${bytes}\n`)
  const options = [
    `ProxyCommand=${pathOf('sshd')} -i -f ${join(own, 'sshd_config')}`,
    `UserKnownHostsFile=${join(own, 'known_hosts')}`,
    `User=${userInfo().username}`,
    'StrictHostKeyChecking=yes',
    'IdentitiesOnly=yes',
  ]
  const script = `#!/bin/sh\nexec ${pathOf('ssh')} -F /dev/null ${options.map(option => `-o '${option}'`).join(' ')} "$@"\n`
  await writeFile(join(folder, '.bin/ssh'), script, { mode: 0o755 })
}
