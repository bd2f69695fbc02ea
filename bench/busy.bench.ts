import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { command } from '../test/support/command.ts'
import { makeBrands } from './api/brands.ts'
import { closedLoop, type Round } from './api/closed-loop.ts'
import { capacity, openLoop } from './api/latency.ts'
import { LOAD_CORE, type Server } from './api/processes.ts'
import { startProduct } from './api/product.ts'
import { apiRequests } from './api/subjects.ts'
import { writeRequests } from './api/wire.ts'
import { startWork } from './busy/work.ts'
import { writeLargeBrand } from './large-brand.ts'
import { unpackPackage } from './package.ts'
import type { Figure } from './run.ts'

const PAGES = 2000
const SECONDS = 20
const CONNECTIONS = 500
const P99_MS = 10

/** How long replies of the API take while much else goes on in the same service, and with 500 clients at once. */
export async function* measure(): AsyncGenerator<Figure> {
  execFileSync('taskset', ['-pc', String(LOAD_CORE), String(process.pid)])
  const folder = mkdtempSync(join(tmpdir(), 'housestyle-bench-'))
  try {
    await using started = new AsyncDisposableStack()
    const bin = unpackPackage(folder)
    const brands = await makeBrands(bin, folder)
    const large = join(folder, 'large')
    writeLargeBrand(large, { pages: PAGES, pictures: 20 })
    writeFileSync(join(large, 'guide/project.yaml'), 'visibility: public\n')
    await command(bin, 'import', large, ...brands.store)
    await command(bin, 'publish', '--all', ...brands.store)
    const server = started.adopt(await startProduct(bin, brands), ({ stop }) => stop())
    const requests = await writeRequests(join(folder, 'requests'), server.url, await apiRequests(server.url, brands))
    const rounds: Round[] = []
    for (let at = 0; at < 4; at++) rounds.push(await closedLoop(server, requests, 3))
    const perSecond = Math.round(0.6 * capacity(rounds.slice(1)))
    const calm = await openLoop(server, requests, perSecond, SECONDS)
    const work = startWork({ bin, store: brands.store, folder: large, pages: PAGES, url: server.url })
    const busy = await openLoop(server, requests, perSecond, SECONDS)
    const done = await work.stop()
    console.table({ calm, busy })
    console.log(`  meanwhile: ${JSON.stringify(done)}`)
    yield {
      name: `p99 of the API at 60 % while pages are imported, published, searched, made and compressed (${calm.p99.toFixed(1)} ms without)`,
      value: busy.p99,
      unit: 'ms',
      wanted: { atMost: P99_MS },
      ...(calm.p99 > P99_MS && { note: 'too noisy: see what it takes without' }),
    }
    yield* crowd(server, requests)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Each of many clients asks again as soon as it has its reply; somebody else asks whether the service is well. */
async function* crowd(server: Server, requests: string): AsyncGenerator<Figure> {
  const asking = closedLoop(server, requests, SECONDS, CONNECTIONS)
  const times = await healthTimes(server.url, asking)
  const { failed, timedOut } = await asking
  yield {
    name: `of ${CONNECTIONS} clients, replies that timed out`,
    value: timedOut,
    unit: 'count',
    wanted: { atMost: 0 },
  }
  yield { name: 'and that failed', value: failed, unit: 'count', wanted: { atMost: 0 } }
  yield { name: '/healthz meanwhile, at its worst', value: Math.max(...times), unit: 'ms', wanted: { atMost: 100 } }
}

async function healthTimes(url: string, until: Promise<unknown>): Promise<number[]> {
  let isOver = false
  const over = until.finally(() => {
    isOver = true
  })
  const times: number[] = []
  for (; !isOver; await sleep(20)) {
    const began = performance.now()
    await (await fetch(`${url}/healthz`)).arrayBuffer()
    times.push(performance.now() - began)
  }
  await over
  return times
}
