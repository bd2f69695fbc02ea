import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { command, type Running, serve } from '../test/support/command.ts'
import { keepCoresAwake } from './awake.ts'
import { unpackPackage } from './package.ts'
import { median, quantile } from './quantile.ts'
import type { Figure } from './run.ts'

/** It is asked for once before, so that it is not made while a crowd asks for it. */
const PAGE = '/acme/brand'
const ROUNDS = 7
const CROWD = 1000
/** The burst in which a crowd comes is not measured: whoever comes behind it is let in after it. */
const SETTLE_MS = 1000
const [PER_SECOND, ROUND_MS] = [100, 2000]
const KINDS = [
  'idle',
  'slow heads',
  'slow bodies',
  'stalled readers',
  'trickling readers',
  'TLS garbage',
  'pipeliners',
  'aborters',
]

/** What good requests keep of their delay beside a thousand clients of each kind; rounds with and without take turns. */
export async function* measure(): AsyncGenerator<Figure> {
  using _awake = keepCoresAwake()
  const folder = mkdtempSync(join(tmpdir(), 'housestyle-bench-'))
  try {
    const bin = unpackPackage(folder)
    const store = ['--data', join(folder, 'data')]
    await command(bin, 'import', writeBrand(folder), ...store)
    await command(bin, 'publish', '--all', ...store)
    const token = (await command(bin, 'token', 'issue', 'acme', ...store)).trim()
    const service = await serve(bin, ...store, '--rate', 'off', '--log', 'warn')
    try {
      const place = { port: new URL(service.url).port, file: await fileOf(service, token), token }
      await ask(place)
      await (await fetch(`${service.url}${PAGE}`)).text()
      for (const kind of KINDS) yield await measureKind(kind, place)
    } finally {
      await service.stop()
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A workspace with a public project, which has a file of 64 MiB. */
function writeBrand(folder: string): string {
  const project = join(folder, 'acme/brand')
  for (const each of ['files', 'pages']) mkdirSync(join(project, each), { recursive: true })
  writeFileSync(join(project, 'project.yaml'), 'visibility: public\n')
  writeFileSync(join(project, 'pages/index.md'), '# Brand\n')
  writeFileSync(join(project, 'files/large.bin'), '')
  truncateSync(join(project, 'files/large.bin'), 64 << 20)
  return join(folder, 'acme')
}

async function fileOf({ baseUrl }: Running, token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}` }
  const list = await fetch(`${baseUrl}/workspace/acme/project/brand/files`, { headers })
  const { files }: { files: { url: string }[] } = JSON.parse(await list.text())
  return new URL(files[0]?.url ?? '').pathname
}

type Place = { port: string; file: string; token: string }

async function measureKind(kind: string, place: Place): Promise<Figure> {
  const [calm, crowded]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    calm.push(quantile(await ask(place), 0.99))
    const crowd = program('crowd', [kind, String(CROWD), place.port, place.file, PAGE])
    await once(crowd.stdout, 'data')
    await sleep(SETTLE_MS)
    crowded.push(quantile(await ask(place), 0.99))
    await end(crowd)
    await sleep(500)
  }
  const spread = Math.max(...calm) / Math.min(...calm)
  return {
    name: `beside ${CROWD} ${kind}: p99 of good requests ÷ without (${median(calm).toFixed(1)} ms), of ${ROUNDS} rounds each`,
    value: median(crowded) / median(calm),
    unit: 'ratio',
    wanted: { atMost: 2 },
    ...(spread > MAX_SPREAD && { note: noise(spread) }),
  }
}

/** If rounds without a crowd differ by more, something else was at work, and the figure says little. */
const MAX_SPREAD = 2

function noise(spread: number): string {
  return `too noisy: rounds without differ by a factor of ${spread.toFixed(1)}, load average ${loadavg()[0]?.toFixed(1)}`
}

/** Asks for as long as a round takes, and gives how long each reply took, in milliseconds. Throws if one is not 200. */
async function ask({ port, token }: Place): Promise<number[]> {
  const path = '/beta/workspace/acme/project/brand/pages'
  const asking = program('good', [port, path, String(PER_SECOND), String(ROUND_MS), token])
  const taken: [ms: number, status: number][] = JSON.parse(await text(asking.stdout))
  const other = taken.find(([, status]) => status !== 200)
  if (other) throw new Error(`a good request got ${other[1]}`)
  return taken.map(([ms]) => ms)
}

/** The crowd has the lowest priority of all: what it takes of the processor is not to delay who asks beside it. */
function program(name: 'crowd' | 'good', args: readonly string[]) {
  const path = join(import.meta.dirname, `connections/${name}.ts`)
  const niceness = name === 'crowd' ? '19' : '0'
  return spawn('nice', ['-n', niceness, process.execPath, path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
}

async function end(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}
