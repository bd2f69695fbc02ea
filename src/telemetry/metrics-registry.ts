import { createRequire } from 'node:module'
import type { Registry } from 'prom-client'
import { type CountName, METRICS, type MetricRow, type Samples } from './metrics-table.ts'

/** Loads the library. A failed `import` of a CommonJS package fails again for good; this reads its files again. */
export const loadPromClient: () => typeof import('prom-client') = () => createRequire(import.meta.url)('prom-client')

/** Makes a Prometheus registry with these counts and the default Node metrics. */
export function registryOf(counts: ReadonlyMap<CountName, Samples>): Registry {
  const { Registry, collectDefaultMetrics } = loadPromClient()
  const registry = new Registry()
  for (const [name, samples] of counts) show(registry, name, samples)
  collectDefaultMetrics({ register: registry })
  return registry
}

function show(registry: Registry, name: CountName, samples: Samples): void {
  const { Counter, Gauge } = loadPromClient()
  const { type, labels, help }: MetricRow = METRICS[name]
  const metric = { name, help, labelNames: [...labels], registers: [registry] }
  if (type === 'counter') {
    new Counter({
      ...metric,
      collect() {
        this.reset()
        for (const [labels, count] of samples()) this.inc({ ...labels }, count)
      },
    })
    return
  }
  new Gauge({
    ...metric,
    collect() {
      this.reset()
      for (const [labels, value] of samples()) this.set({ ...labels }, value)
    },
  })
}
