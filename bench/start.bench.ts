import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { command, serve } from '../test/support/command.ts'
import { unpackPackage } from './package.ts'
import type { Figure } from './run.ts'

const ROUNDS = 10
const root = dirname(import.meta.dirname)
const example = join(root, 'examples/acme')

/** How soon the built package answers, and what it holds in memory once it has: medians over `ROUNDS` starts of each. */
export async function measure(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'housestyle-bench-'))
  try {
    const bin = unpackPackage(folder)
    const store = ['--data', join(folder, 'imported')]
    await command(bin, 'import', example, ...store)
    await command(bin, 'publish', '--all', ...store)
    const token = (await command(bin, 'token', 'issue', 'acme', ...store)).trim()
    const starts: Start[] = []
    const firsts: Start[] = []
    // The first round fills the compile cache and the caches of the disk, and is not counted.
    for (let round = 0; round <= ROUNDS; round += 1) {
      const start = await time(bin, store, { path: '/beta/workspace/acme', token })
      const first = await time(bin, [example, '--data', join(folder, `empty-${round}`)], { path: '/readyz' })
      if (round === 0) continue
      starts.push(start)
      firsts.push(first)
    }
    const milliseconds = (start: Start) => start.milliseconds
    return [
      {
        ...median(starts, milliseconds),
        name: 'first reply, store imported before',
        unit: 'ms',
        wanted: { atMost: 250 },
      },
      {
        ...median(firsts, milliseconds),
        name: 'first reply, folder and empty store',
        unit: 'ms',
        wanted: { atMost: 1000 },
      },
      {
        ...median(starts, start => start.megabytes),
        name: 'memory when idle (RSS)',
        unit: 'MB',
        wanted: { atMost: 100 },
      },
    ]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

type Start = { milliseconds: number; megabytes: number }

/** Starts the service, asks until the first 200, and a second later looks at the memory of its process. */
async function time(
  bin: string,
  args: string[],
  { path, token = '' }: { path: string; token?: string },
): Promise<Start> {
  const began = performance.now()
  const service = await serve(bin, ...args)
  try {
    const reply = await fetch(service.url + path, { headers: { authorization: `Bearer ${token}` } })
    const milliseconds = performance.now() - began
    if (reply.status !== 200) throw new Error(`${path} answers ${reply.status}: ${await reply.text()}`)
    await reply.text()
    await sleep(1000)
    const kilobytes = Number(execFileSync('ps', ['-o', 'rss=', '-p', `${service.pid}`]))
    return { milliseconds, megabytes: kilobytes / 1024 }
  } finally {
    await service.stop()
  }
}

function median<T>(items: readonly T[], of: (item: T) => number): { value: number } {
  const sorted = items.map(of).sort((a, b) => a - b)
  const middle = sorted.length / 2
  const [low, high] = [sorted[Math.ceil(middle) - 1] ?? Number.NaN, sorted[Math.floor(middle)] ?? Number.NaN]
  return { value: (low + high) / 2 }
}
