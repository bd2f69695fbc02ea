import assert from 'node:assert/strict'
import test from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { memoryOf } from '#platform/caches/memory.ts'

const COUNT = 10_000
const HASH = 'abcdef0123456789'.repeat(4)

/** Parsed data, as read from the store. */
function read(make: (at: number) => object): { id: string }[] {
  return JSON.parse(
    JSON.stringify(Array.from({ length: COUNT }, (_, at) => ({ id: `s${at % 100}/p-${at}`, ...make(at) }))),
  )
}

function byId(list: readonly { id: string }[]): ReadonlyMap<string, object> {
  return new Map(list.map(each => [each.id, each]))
}

const KINDS: Readonly<Record<string, () => unknown>> = {
  'pages with links': () =>
    byId(
      read(at => ({
        name: `Page number ${at}`,
        content: `${HASH}${at}`,
        links: Array.from({ length: 10 }, (_, link) => ({
          start: link,
          end: 20,
          to: { page: `s1/page-${at + link}` },
        })),
      })),
    ),
  'files with their metadata': () =>
    byId(
      read(at => ({
        size: 20_000 + at,
        contentType: 'image/png',
        hash: `${HASH}${at}`,
        metadata: { width: 80, height: 70, description: `What picture ${at} shows` },
      })),
    ),
  'strings outside Latin-1': () => Array.from({ length: COUNT }, (_, at) => Buffer.from(`Ελληνικά ${at}`).toString()),
  'verified tokens': () =>
    Array.from({ length: COUNT }, (_, at) => ({
      workspace: 'acme',
      client: 'cli',
      jti: `${HASH}${at}`,
      expiresAt: Date.now() + at,
      scopes: new Set(['styles.read', 'data.read']),
      projects: new Set([`one-${at}`, `two-${at}`, `three-${at}`]),
    })),
  bytes: () => Array.from({ length: COUNT }, () => new Uint8Array(300)),
  fractions: () => Array.from({ length: COUNT }, (_, at) => ({ size: at / 7, leading: at / 11 })),
}

for (const [name, make] of Object.entries(KINDS))
  test(`the estimated memory of ${name} is within a third of the real one`, async () => {
    const kept: unknown[] = []
    const ratios: number[] = []
    for (let at = 0; at < MEASUREMENTS; at++) {
      const before = await bytesInUse()
      kept.push(make())
      const took = (await bytesInUse()) - before
      ratios.push(memoryOf(kept.at(-1)) / took)
    }
    // The median: other tests of the process may free memory during one.
    const [ratio = 0] = ratios.sort((one, other) => one - other).slice(Math.floor(MEASUREMENTS / 2))
    assert.ok(ratio > 0.75 && ratio < 1.34, `${ratio} times as many bytes are said to be taken as are`)
  })

test('a view of a larger buffer counts as the whole buffer, which it keeps in memory', () => {
  assert.equal(memoryOf(new Uint8Array(60_000).subarray(0, 10)), memoryOf(new Uint8Array(60_000)))
})

/**
 * Bytes of the heap and of buffers after a full garbage collection. A collection may make more garbage collectable, so
 * it runs repeatedly.
 */
async function bytesInUse(): Promise<number> {
  setFlagsFromString('--expose-gc')
  setFlagsFromString('--no-flush-bytecode') // Otherwise freed bytecode would distort the result.
  const collect: () => void = runInNewContext('gc')
  for (let last = Number.POSITIVE_INFINITY; ; ) {
    await nextTurn()
    collect()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    const now = heapUsed + arrayBuffers
    if (now > last - SETTLED) return now
    last = now
  }
}

const MEASUREMENTS = 5
const SETTLED = 10_000
