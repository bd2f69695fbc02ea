import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { MAIN } from '../../program/cli/housestyle.ts'
import { needs } from '../../support/programs.ts'
import { folderWith, temporaryFolder } from '../../support/temporary.ts'
import { until } from '../../support/until.ts'

const acme = await folderWith({
  'guidelines/project.yaml': 'visibility: public\n',
  'guidelines/pages/logo.md': '# Logo\n',
})

for (const command of ['serve', 'dev'])
  test(
    `on a terminal, ${command} never logs JSON lines, even for failures`,
    needs('script', 'a pseudo-terminal'),
    async t => {
      const folder = await temporaryFolder()
      const pidFile = join(folder, 'pid')
      const data = command === 'serve' ? ['--data', join(folder, 'data')] : []
      const run = [process.execPath, MAIN, command, acme, '--port', '0', '--log', 'debug', ...data].join(' ')
      const terminal = spawn('script', ['-qfec', `echo $$ > ${pidFile}; exec ${run}`, '/dev/null'], {
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      t.after(() => terminal.kill('SIGKILL'))
      t.after(
        () => existsSync(pidFile) && existsSync(`/proc/${pidIn(pidFile)}`) && process.kill(pidIn(pidFile), 'SIGKILL'),
      )
      const exit = once(terminal, 'exit')
      let printed = ''
      terminal.stdout.on('data', chunk => {
        printed += stripVTControlCharacters(`${chunk}`)
      })
      const address = () => /http:\/\/127\.0\.0\.1:\d+(?=\/acme\/guidelines\s)/.exec(printed)?.[0]
      await until(() => address() !== undefined)
      const pid = pidIn(pidFile)
      const refused = await fetch(`${address()}/beta/workspace/acme`, { headers: { authorization: 'Bearer none' } })
      assert.equal(refused.status, 401)
      const failed = await whileKillingSandboxesOf(pid, fetch(`${address()}/acme/guidelines/logo`))
      assert.equal(failed.status, 503)
      process.kill(pid, 'SIGTERM')
      assert.deepEqual(await exit, [0, null])
      assert.match(printed, /INFO: token-refused/)
      assert.match(printed, /WARN: a process failed while it worked on workspace content/)
      assert.deepEqual(printed.split(/[\r\n]+/).filter(isJson), [])
    },
  )

function pidIn(file: string): number {
  return Number(readFileSync(file, 'utf8'))
}

function isJson(line: string): boolean {
  try {
    return typeof JSON.parse(line) === 'object'
  } catch {
    return false
  }
}

/** Kills the sandboxed child processes of a process until the work has ended. */
async function whileKillingSandboxesOf<Value>(pid: number, work: Promise<Value>): Promise<Value> {
  let isDone = false
  const ended = work.finally(() => {
    isDone = true
  })
  ended.catch(() => undefined)
  while (!isDone) {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
    for (const child of children) killSandbox(Number(child))
    await pause(1)
  }
  return ended
}

function killSandbox(pid: number): void {
  try {
    if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('\0--permission\0')) process.kill(pid, 'SIGKILL')
  } catch {
    // It has already ended.
  }
}
