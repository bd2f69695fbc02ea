import { parentPort, workerData } from 'node:worker_threads'
import { sharedLimit } from '../../access/limit/limit-shared.ts'
import { sharedAddressCounts } from '../../http/connections/shared-address-counts.ts'
import { ownDescriptor } from '../../http/listening/shared-listener.ts'
import type { ListenOptions } from '../../http/server.ts'
import type { OpenPool } from '../../processes/open-pool.ts'
import { remotePools } from '../../processes/remote-pool.ts'
import { logTo } from '../../telemetry/log.ts'
import { type Metrics, openMetrics } from '../../telemetry/metrics.ts'
import { openTracing } from '../../telemetry/open-tracing.ts'
import { type Calls, openCalls } from '../../threads/calls.ts'
import { serveHere } from '../serve-here.ts'
import type { ThreadParts } from '../service-parts.ts'
import { openForThread } from '../store.ts'
import type { FirstWork, ThreadData, ThreadWork } from './thread-calls.ts'

// A thread that answers requests, as `serve-with-threads.ts` starts it.
if (!parentPort) throw new Error('this program is a thread of a service')
const data: ThreadData = workerData
openCalls<FirstWork>(parentPort, first => {
  const { openPool, source } = remotePools(first)
  const metrics = openMetrics()
  const serving = serve(data, first, { openPool, metrics })
  const work: ThreadWork = {
    ...source,
    catchUp: async () => (await serving).catchUp(),
    readiness: async () => (await serving).readiness(),
    metrics: () => metrics.reading(),
    stop: async () => (await serving).stop(),
  }
  return work
})

async function serve(
  { thread, settings, build, environment = {}, ...data }: ThreadData,
  first: Calls<FirstWork>,
  { openPool, metrics }: { openPool: OpenPool; metrics: Metrics },
) {
  const log = logTo(line => first.tell('writeLine', line), settings.log)
  const store = await openForThread(settings)
  const tracing = await openTracing(environment, build?.version ?? '', log)
  const options = { parts: partsOf(data.shared, thread, openPool, first), listening: listeningOf(data, thread, first) }
  const serving = await serveHere({
    settings,
    store,
    log,
    metrics: thread === 1 ? metrics : { ...metrics, countPublications: () => undefined }, // All see the same ones.
    tracing,
    thread: options,
  })
  first.tell('started')
  const stop = async () => {
    await serving.stop()
    await tracing?.end()
    await store.close()
  }
  return { ...serving, stop }
}

function partsOf(
  { rate, ratePublic }: ThreadData['shared'],
  thread: number,
  openPool: OpenPool,
  first: Calls<FirstWork>,
): ThreadParts {
  return {
    openPool,
    limits: { rate: rate && sharedLimit(rate, thread), ratePublic: ratePublic && sharedLimit(ratePublic, thread) },
    throttle: { countFailure: (client, address) => first.call('countFailure', { client, address }) },
    limitChanged: (limit, change) => first.tell('limitChanged', { thread, limit, change }),
    readiness: () => first.call('readiness'),
    metrics: () => first.call('metrics'),
  }
}

function listeningOf(
  { descriptor, descriptors, shared }: Pick<ThreadData, 'descriptor' | 'descriptors' | 'shared'>,
  thread: number,
  first: Calls<FirstWork>,
): Pick<ListenOptions, 'limits' | 'shared'> {
  const { addresses, connections } = shared
  return {
    limits: { descriptors, ...(addresses && { addresses: sharedAddressCounts(addresses, thread) }) },
    shared: {
      open: () => ownDescriptor(descriptor),
      counts: new Int32Array(connections),
      place: thread - 1,
      released: () => first.call('accepted'),
      allClosed: () => first.call('closed'),
    },
  }
}
