import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { command, serve } from '../test/support/command.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { startRedis } from '../test/support/redis.ts'
import { type LoadedNodes, loadNodes } from './nodes/load.ts'
import { processorShares } from './nodes/processor-shares.ts'
import { bin, makeStore } from './nodes/store.ts'
import { median } from './quantile.ts'
import type { Figure } from './run.ts'

/** What each node may use of a processor: so little that four of them, the engines and the load have room on two. */
const PART = 0.08
const ROUNDS = 7

/** How many requests one node, two and four answer in a second, each with the same fixed part of a processor. */
export async function* measure(): AsyncGenerator<Figure> {
  const shares = processorShares()
  if (!shares) return console.log('  skipped: this machine lets nobody limit processes (control groups, version 1)')
  const folder = mkdtempSync(join(tmpdir(), 'housestyle-bench-'))
  const [postgres, redis] = await Promise.all([startPostgres(STATEMENTS), startRedis()])
  const { place } = await makeStore(postgres, folder, 10)
  const limits = ['--limits', redis.url, '--rate', '1000000/1']
  const nodes = await Promise.all(Array.from({ length: 4 }, () => serve(bin, ...place, ...limits)))
  const pids = nodes.map(({ pid }) => pid)
  try {
    const token = (await command(bin, 'token', 'issue', 'acme', ...place)).trim()
    await loadNodes(nodes, token)
    for (const pid of pids) shares.put(pid, PART)
    shares.put(process.pid)
    const found: Record<number, LoadedNodes[]> = { 1: [], 2: [], 4: [] }
    for (let round = 0; round < ROUNDS; round++)
      for (const count of [1, 2, 4]) found[count]?.push(await loadNodes(nodes.slice(0, count), token))
    for (const pid of [process.pid, ...pids]) shares.free(pid)
    yield* figuresOf(found)
  } finally {
    await Promise.all(nodes.map(node => node.stop()))
    await Promise.all([postgres.stop(), redis.stop()])
    rmSync(folder, { recursive: true })
  }
}

const STATEMENTS = ['-c', 'shared_preload_libraries=pg_stat_statements']

function* figuresOf(found: Readonly<Record<number, readonly LoadedNodes[]>>): Generator<Figure> {
  const of = (count: number, what: (loaded: LoadedNodes) => number) => median((found[count] ?? []).map(what))
  const perSecond = (count: number) => of(count, ({ requests, elapsedSeconds }) => requests / elapsedSeconds)
  const used = (count: number) => of(count, ({ seconds, elapsedSeconds }) => seconds / elapsedSeconds / count)
  const noteOf = (count: number) => `each used ${used(count).toFixed(3)} of a processor`
  const name = `requests a second of a node with ${PART} of a processor`
  yield { name, value: perSecond(1), unit: 'count', wanted: { atLeast: 400 }, note: noteOf(1) }
  for (const count of [2, 4])
    yield {
      name: `the same of ${count} nodes ÷ of one`,
      value: perSecond(count) / perSecond(1),
      unit: 'ratio',
      wanted: { atLeast: 0.8 * count },
      note: noteOf(count),
    }
}
