import { hash } from 'node:crypto'
import type { Allowance } from '../src/access/limit/limit.ts'
import { memoryLimit } from '../src/access/limit/limit-memory.ts'
import { openRedisLimit } from '../src/access/limit/limit-redis.ts'
import { limitsAt, startRedis } from '../test/support/redis.ts'
import { median } from './quantile.ts'
import type { Figure } from './run.ts'

const ROUNDS = 9
const RATE = { requests: 600, seconds: 60 }

/** What a decision costs: in memory beside a short hash, which takes about as long everywhere, and when it is shared. */
export async function measure(): Promise<Figure[]> {
  const server = await startRedis()
  const limit = await openRedisLimit(RATE, limitsAt(server.url))
  const spend = () => limit.spend('acme', 0)
  const inHashes: number[] = []
  const gains: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    inHashes.push(memoryMs() / hashMs())
    gains.push((await sharedMs(spend, 1)) / (await sharedMs(spend, 64)))
  }
  limit.close()
  await server.stop()
  return [
    {
      name: 'a decision in memory, in hashes (SHA-256 of 64 bytes)',
      value: median(inHashes),
      unit: 'ratio',
      wanted: { atMost: 1 },
    },
    {
      name: 'shared decisions in a time, 64 at once beside one after another',
      value: median(gains),
      unit: 'ratio',
      wanted: { atLeast: 3 },
    },
  ]
}

const CALLS = 200_000

/** Asks of a hundred workspaces in turn at two thousand requests a second, of which half are refused. */
function memoryMs(): number {
  const workspaces = Array.from({ length: 100 }, (_, index) => `workspace-${index}`)
  const limit = memoryLimit(RATE)
  return milliseconds(call => limit.spend(workspaces[call % 100] ?? '', call / 2))
}

function hashMs(): number {
  const text = 'a'.repeat(64)
  return milliseconds(() => hash('sha256', text))
}

function milliseconds(work: (call: number) => unknown): number {
  const began = performance.now()
  for (let call = 0; call < CALLS; call++) work(call)
  return performance.now() - began
}

async function sharedMs(spend: () => Promise<Allowance>, atOnce: number): Promise<number> {
  const began = performance.now()
  const ask = async () => {
    for (let call = 0; call < 2048 / atOnce; call++) await spend()
  }
  await Promise.all(Array.from({ length: atOnce }, ask))
  return performance.now() - began
}
