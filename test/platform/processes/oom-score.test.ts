import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { kill, startSandboxed } from '#platform/processes/sandbox.ts'
import { streamGit } from '#publishing/git/program/run-git.ts'
import { pullInProcess } from '#publishing/git/pull/pull-in-process.ts'
import { previewEvents } from '#publishing/preview/preview-events.ts'
import { openPrinter } from '#site/book/make-book.ts'
import { childProcesses } from '../../support/child-processes.ts'
import { listeningPort } from '../../support/free-port.ts'
import { needs } from '../../support/programs.ts'
import { folderWith, temporaryFolder } from '../../support/temporary.ts'
import { until } from '../../support/until.ts'

const options = needs('Linux')

test('if memory is short, the system ends a confined process before this one', options, async () => {
  const folder = await folderWith({ 'program.mjs': 'setInterval(() => {}, 1000)' })
  const program = pathToFileURL(join(folder, 'program.mjs'))
  const { child } = startSandboxed(program, { execArgv: [] })
  const score = await scoreOf(child.pid ?? '')
  await kill(child)
  assert.equal(score, await higherScore())
})

const withGit = needs('Linux', 'git')

test('if memory is short, the system ends git before the process that waits for it', withGit, async () => {
  const runner = {
    environment: { PATH: process.env.PATH ?? '' },
    folder: await temporaryFolder(),
    kill: (id: number, signal: NodeJS.Signals) => void process.kill(id, signal),
    signal: new AbortController().signal,
  }
  const higher = await higherScore()
  const score = await streamGit(runner, ['hash-object', '--stdin'], {}, async ({ input, output }) => {
    const scores = await scoresOf('hash-object')
    input.end()
    await output.toArray()
    return scores
  })
  assert.deepEqual(score, { ok: true, value: [higher] })
})

test('if memory is short, the system ends a preview before the process that shows it', options, async () => {
  const [data, folder] = [await temporaryFolder(), await folderWith({ 'workspace.yaml': 'name: Acme\n' })]
  const ended = new AbortController()
  const caps = { maxFile: 1 << 30, maxItems: 100 }
  const events = previewEvents({ data, folder, caps }, ended.signal)
  await events.next()
  assert.deepEqual(await scoresOf('preview-process'), [await higherScore()])
  ended.abort()
  await assert.rejects(events.next())
})

test('if memory is short, the system ends a pull before the service', options, async t => {
  const url = await silentServer(t)
  const ended = new AbortController()
  const data = await temporaryFolder()
  const task = {
    place: { data },
    source: { url, workspace: 'acme', publish: 'auto' as const },
    host: {},
    mirrors: join(data, 'git'),
    maxGit: 1 << 30,
    caps: { maxFile: 1 << 30, maxItems: 100 },
  }
  const pulled = assert.rejects(pullInProcess(task, ended.signal))
  await until(async () => (await scoresOf('pull-process')).length === 1)
  const scores = await scoresOf('pull-process')
  ended.abort()
  await pulled
  assert.deepEqual(scores, [await higherScore()])
})

const withChromium = needs('Linux', 'chromium')

test('if memory is short, the system ends a page in Chromium before the export', withChromium, async () => {
  const profile = await temporaryFolder()
  const printer = openPrinter({
    chromium: 'chromium',
    profile,
    isRoot: process.getuid?.() === 0,
    signal: new AbortController().signal,
    kill: (id, signal) => void process.kill(id, signal),
  })
  const own = await scoreOf('self')
  try {
    // Chromium gives its processes their scores soon after they start.
    await until(async () => {
      const scores = await pageScores(profile)
      return scores.length > 0 && scores.every(score => score > own)
    }, 200)
  } finally {
    await printer.close()
  }
})

/** The scores of the processes for pages, which have the memory, of the Chromium with this profile. */
async function pageScores(profile: string): Promise<number[]> {
  // Other tests in this process may have children, too.
  const commands = childProcesses().map(async pid => ({ pid, command: await commandOf(pid) }))
  const chromium = (await Promise.all(commands)).find(({ command }) => command.includes(profile))
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name))
  const scores = pids.map(async pid => {
    const [, fields = ''] = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')
    const isOfGroup = fields.split(' ')[2] === `${chromium?.pid}`
    return isOfGroup && (await commandOf(pid)).includes('--type=renderer') ? await scoreOf(pid) : undefined
  })
  // A process may have ended meanwhile.
  const read = await Promise.all(scores.map(score => score.catch(() => undefined)))
  return read.filter(score => score !== undefined)
}

/** The address of a server that accepts connections, and never replies. */
async function silentServer(t: TestContext): Promise<string> {
  const server = createServer()
  t.after(() => server.close())
  return `http://127.0.0.1:${await listeningPort(server)}/brand.git`
}

async function higherScore(): Promise<number> {
  return Math.min(1000, (await scoreOf('self')) + 500)
}

async function scoreOf(pid: number | string): Promise<number> {
  return Number(await readFile(`/proc/${pid}/oom_score_adj`, 'utf8'))
}

/** The scores of this process's children that run a program. */
async function scoresOf(program: string): Promise<number[]> {
  const scores: number[] = []
  for (const pid of childProcesses()) {
    if ((await commandOf(pid)).includes(program)) scores.push(await scoreOf(pid))
  }
  return scores
}

/** The program and arguments of a process; empty if it has ended. */
function commandOf(pid: number | string): Promise<string> {
  return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
}
