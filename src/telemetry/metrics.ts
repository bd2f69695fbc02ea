import type { Registry } from 'prom-client'

/** Counts what the service does; `text` gives it in the Prometheus exposition format. */
export type Metrics = {
  countRequest: (status: number, milliseconds: number) => void
  countRefusedToken: (reason: string) => void
  /** Told where a limit that processes share is wanted: whether it is shared now. */
  setLimitShared: (isShared: boolean) => void
  text: () => Promise<{ contentType: string; text: string }>
}

/** Counts in memory; the library that writes the format is loaded when it is first asked for. */
export function openMetrics(): Metrics {
  const requests: Requests = new Map()
  const refusedTokens: RefusedTokens = new Map()
  const limit: SharedLimit = { isShared: undefined }
  let registry: Promise<Registry> | undefined
  return {
    countRequest: (status, milliseconds) => {
      const known = requests.get(status)
      if (known) {
        known.count++
        known.seconds += milliseconds / 1000
      } else requests.set(status, { count: 1, seconds: milliseconds / 1000 })
    },
    countRefusedToken: reason => refusedTokens.set(reason, (refusedTokens.get(reason) ?? 0) + 1),
    setLimitShared: isShared => {
      limit.isShared = isShared
    },
    text: async () => {
      registry ??= makeRegistry(requests, refusedTokens, limit)
      const made = await registry
      return { contentType: made.contentType, text: await made.metrics() }
    },
  }
}

type Requests = Map<number, { count: number; seconds: number }>
type RefusedTokens = Map<string, number>
type SharedLimit = { isShared: boolean | undefined }

async function makeRegistry(requests: Requests, refusedTokens: RefusedTokens, limit: SharedLimit): Promise<Registry> {
  const { collectDefaultMetrics, Counter, Gauge, Registry } = await import('prom-client')
  const registry = new Registry()
  const counter = (name: string, help: string, label: string, values: () => Iterable<[string | number, number]>) =>
    new Counter({
      ...{ name, help, labelNames: [label], registers: [registry] },
      collect() {
        this.reset()
        for (const [value, count] of values()) this.inc({ [label]: value }, count)
      },
    })
  const each = (pick: (row: { count: number; seconds: number }) => number) => () =>
    [...requests].map(([status, row]): [number, number] => [status, pick(row)])
  counter(
    'housestyle_requests_total',
    'Requests answered.',
    'status',
    each(({ count }) => count),
  )
  counter(
    'housestyle_request_seconds_total',
    'Time spent on requests.',
    'status',
    each(({ seconds }) => seconds),
  )
  counter('housestyle_refused_tokens_total', 'Tokens refused.', 'reason', () => refusedTokens)
  if (limit.isShared !== undefined)
    new Gauge({
      name: 'housestyle_limit_shared',
      help: 'Whether the limit is shared with other processes (1), or this process counts on its own (0).',
      registers: [registry],
      collect() {
        this.set(limit.isShared ? 1 : 0)
      },
    })
  collectDefaultMetrics({ register: registry })
  return registry
}
