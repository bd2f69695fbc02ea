import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench, Figure } from './support/bench.ts'
import { makeBrands } from './support/brands.ts'
import { CODE_LOADED_MS, residentMegabytes, startService } from './support/processes.ts'
import { replyTo } from './support/reply.ts'
import { apiRequests, largeRequests, websiteRequests, writeRequests } from './support/requests.ts'
import { load } from './support/wrk.ts'

const PROJECTS_PER_WORKSPACE = 100
const VIEWED_PER_WORKSPACE = 10
const REQUESTS = 200_000
const ROUND_SECONDS = 2
/** The option that docs/running-a-service.md recommends. */
const HEAP = '--max-old-space-size=160'

/** The memory of the service process with 1,001 projects: idle, under API load before and after page views, and its growth. */
export async function* measure(bench: Bench): AsyncGenerator<Figure> {
  const brands = await makeBrands(bench.bin, bench.folder, { projects: PROJECTS_PER_WORKSPACE, hasLarge: true })
  const service = await startService(bench, brands.store, [HEAP])
  await sleep(CODE_LOADED_MS)
  yield { name: 'service process, idle', ...megabytes([residentMegabytes(service.pid)]), bound: { atMost: 115 } }
  const views = [...websiteRequests(VIEWED_PER_WORKSPACE), ...largeRequests(brands)]
  const api = await writeRequests(join(bench.folder, 'api'), service.url, await apiRequests(service.url, brands))
  const sendApi = async (count: number) => {
    const memory: number[] = []
    for (let sent = 0; sent < count; ) {
      const round = await load(service, api, ROUND_SECONDS)
      if (round.failed > 0) throw new Error(`${round.failed} of ${round.requests} requests failed`)
      sent += round.requests
      memory.push(residentMegabytes(service.pid))
    }
    return memory
  }
  const before = await sendApi(REQUESTS)
  const viewed: number[] = []
  for (const { path, headers } of views) {
    const { status } = await replyTo(service.url + path, headers)
    if (status !== 200) throw new Error(`${path} answered ${status}`)
    viewed.push(residentMegabytes(service.pid))
  }
  const after = await sendApi(REQUESTS)
  const later = await sendApi(2 * REQUESTS)
  const highest = [before, viewed, after, later].map(values => Math.max(...values))
  yield {
    name: `service process with ${HEAP}, ${4 * REQUESTS} API requests, page views and searches`,
    ...megabytes(highest),
    bound: { atMost: 300 },
  }
  yield {
    name: 'growth of its peak over the last half of the API requests',
    ...megabytes([Math.max(...later) - Math.max(...after)]),
    bound: { atMost: 20 },
  }
}

function megabytes(values: readonly number[]): Pick<Figure, 'value' | 'unit' | 'note'> {
  const note = values.map(value => value.toFixed(0)).join(' ')
  return { value: Math.max(...values), unit: 'MB', ...(values.length > 1 && { note }) }
}
