import type { Registry } from 'prom-client'

/** Counts what the service does; `text` gives it in the Prometheus exposition format. */
export type Metrics = {
  countRequest: (status: number, milliseconds: number) => void
  /** An event of access, and the reason where it is a refusal. */
  countAccess: (event: string, reason: string) => void
  text: () => Promise<{ contentType: string; text: string }>
}

/** Counts in memory; the library that writes the format is loaded when it is first asked for. */
export function openMetrics(): Metrics {
  const requests: Requests = new Map()
  const access: AccessCounts = new Map()
  let registry: Promise<Registry> | undefined
  return {
    countRequest: (status, milliseconds) => {
      const known = requests.get(status)
      if (known) {
        known.count++
        known.seconds += milliseconds / 1000
      } else requests.set(status, { count: 1, seconds: milliseconds / 1000 })
    },
    countAccess: (event, reason) => {
      const key = `${event} ${reason}`
      access.set(key, (access.get(key) ?? 0) + 1)
    },
    text: async () => {
      registry ??= makeRegistry(requests, access)
      const made = await registry
      return { contentType: made.contentType, text: await made.metrics() }
    },
  }
}

type Requests = Map<number, { count: number; seconds: number }>
/** By event and reason, with a space between them. */
type AccessCounts = Map<string, number>

async function makeRegistry(requests: Requests, access: AccessCounts): Promise<Registry> {
  const { collectDefaultMetrics, Counter, Registry } = await import('prom-client')
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
  new Counter({
    name: 'housestyle_access_total',
    help: 'Refusals, and what was issued, revoked, made or retired, by event and reason.',
    labelNames: ['event', 'reason'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [key, count] of access) {
        const [event = '', reason = ''] = key.split(' ')
        this.inc({ event, reason }, count)
      }
    },
  })
  collectDefaultMetrics({ register: registry })
  return registry
}
