import { strict as assert } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { housestyle, MAIN } from '../cli/housestyle.ts'
import { writeFolder } from './brand-folder.ts'
import { type Running, serve } from './command.ts'

/** What came of it. */
export type CrashReport = { killed: number; finished: number; replies: number }

const BIN = join(import.meta.dirname, '../../bin/housestyle.js')
const GUIDE = 'acme/guide'

/**
 * Kills imports, publications, copies, collections and deletions at random moments of theirs, so many times, while a
 * service of the same store is read. Holds after each: the store is whole, nothing is left under way, the draft is that
 * of one import, and every reply is of one revision. Moments are drawn from the seed.
 */
export async function crash(folder: string, times: number, seed: number): Promise<CrashReport> {
  const random = randomFrom(seed)
  const data = join(folder, 'data')
  const drafts = new Set<string>()
  let variant = 0
  const prepare = async () => {
    await writeFolder(join(folder, 'acme'), brandOf(++variant))
    drafts.add(await draftOf(folder, data))
  }
  await prepare()
  await done(['import', join(folder, 'acme')], data)
  await done(['publish', '--all'], data)
  const running = await serve(BIN, '--data', data, '--rate', 'off')
  const token = (await done(['token', 'issue', 'acme', '--expires', '1d', '--log', 'silent'], data)).trim()
  const reading = readOn(running, token)
  const report = { killed: 0, finished: 0, replies: 0 }
  const lengths = new Map<string, number>()
  try {
    for (let round = 0; report.killed < times; round++) {
      const { name, args, isNew } = KINDS[round % KINDS.length] ?? FIRST
      if (isNew) await prepare()
      const length = lengths.get(name)
      const began = performance.now()
      const all = [...args, ...(name === 'import' ? [join(folder, 'acme')] : []), '--data', data]
      const wasKilled = await runAndKill(all, length && length * (0.3 + random() * 0.7))
      if (wasKilled) report.killed++
      else {
        report.finished++
        lengths.set(name, performance.now() - began)
      }
      await assertWhole(data, drafts, `seed ${seed}, round ${round}, ${name}`)
    }
  } finally {
    report.replies = await reading.end()
    await running.stop()
  }
  return report
}

type Kind = { name: string; args: readonly string[]; isNew?: true }

const FIRST: Kind = { name: 'import', args: ['import'], isNew: true }

/** In turn: what one leaves is what the next finds. */
const KINDS: readonly Kind[] = [
  FIRST,
  { name: 'publish', args: ['publish', '--all'] },
  { name: 'copy', args: ['copy', GUIDE, 'other/guide'] },
  FIRST,
  { name: 'delete', args: ['delete', 'other/guide', '--yes'] },
  { name: 'gc', args: ['gc', '--keep', '1'] },
]

/** Every part of it names the variant. */
function brandOf(variant: number): Record<string, string | Uint8Array> {
  const pages = Array.from({ length: 30 }, (_, at) => [`guide/pages/p${at}.md`, `# Page ${at}\n\nvariant-${variant}\n`])
  const files = Array.from({ length: 30 }, (_, at) => [
    `guide/files/f${at}.txt`,
    `variant-${variant} file ${at}\n${'x'.repeat(40_000)}`,
  ])
  return {
    'guide/project.yaml': `name: variant-${variant}\nvisibility: public\n`,
    'guide/styles/colors.yaml': `- { name: variant-${variant}, hex: "#112233" }\n`,
    ...Object.fromEntries([...pages, ...files]),
  }
}

async function done(args: readonly string[], data: string): Promise<string> {
  const ran = await housestyle([...args, '--data', data])
  assert.equal(ran.status, 0, `${args.join(' ')}: ${ran.stderr}`)
  return ran.stdout
}

/** The snapshot of the folder as it is now. */
async function draftOf(folder: string, data: string): Promise<string> {
  const { projects } = JSON.parse(await done(['import', join(folder, 'acme'), '--dry-run', '--json'], data))
  return projects[0].snapshot
}

/** Without a time: to its end. What is refused, as a deletion of what is not there, has ended too. */
async function runAndKill(args: readonly string[], afterMs: number | undefined): Promise<boolean> {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: 'ignore' })
  const timer = afterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), afterMs)
  const [, signal] = await once(child, 'exit')
  clearTimeout(timer)
  return signal === 'SIGKILL'
}

async function assertWhole(data: string, drafts: ReadonlySet<string>, said: string): Promise<void> {
  const doctor = await housestyle(['doctor', '--json', '--data', data])
  assert.deepEqual([JSON.parse(doctor.stdout), doctor.status], [[], 0], said)
  for (const state of JSON.parse(await done(['status', '--json'], data))) {
    assert.notEqual(state.status, 'Processing', said)
    assert.ok(drafts.has(state.draft), `${said}: the draft is of no import`)
    assert.ok(state.published === null || drafts.has(state.published), `${said}: what is served is of no import`)
  }
}

/** Reads pages, styles and files until it is ended, and holds each reply to its revision; gives how many there were. */
function readOn(running: Running, token: string): { end: () => Promise<number> } {
  const variants = new Map<string, string>()
  let isOver = false
  let replies = 0
  const hold = (snapshot: string, text: string) => {
    const found = new Set(text.match(/variant-\d+/g))
    const known = variants.get(snapshot) ?? [...found].join()
    variants.set(snapshot, known)
    assert.deepEqual([...found].join(), known, `a reply of ${snapshot} is of several revisions`)
    replies++
  }
  const ask = async (path: string) => {
    const address = `${running.baseUrl}/workspace/acme/project/guide/${path}`
    const reply = await fetch(address, { headers: { authorization: `Bearer ${token}` } })
    const text = await reply.text()
    assert.equal(reply.status, 200, text)
    const [, snapshot = ''] = /snapshot="(\w+)"/.exec(reply.headers.get('housestyle-revision') ?? '') ?? []
    return { snapshot, text }
  }
  const reading = (async () => {
    while (!isOver) {
      for (const path of ['page/p1', 'styles']) {
        const { snapshot, text } = await ask(path)
        hold(snapshot, text)
      }
      const { snapshot, text } = await ask('files')
      const { files }: { files: { url: string }[] } = JSON.parse(text)
      const file = await fetch(files[replies % files.length]?.url ?? '')
      const bytes = await file.text()
      // What is served may have moved since the list was read.
      if (file.status === 200) hold(snapshot, bytes)
      else assert.equal(file.status, 404)
      await sleep(20)
    }
  })()
  return {
    end: async () => {
      isOver = true
      await reading
      return replies
    },
  }
}

/** Numbers from 0 to 1 that a seed gives (a linear congruential generator, as in Numerical Recipes). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
