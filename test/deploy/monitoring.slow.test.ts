import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { METRICS } from '#platform/telemetry/metrics-table.ts'
import { needs } from '../support/programs.ts'
import { temporaryFolder } from '../support/temporary.ts'

const pathTo = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const read = (path: string) => readFileSync(pathTo(path), 'utf8')
const RULES: { alert: string; expr: string }[] = parse(read('deploy/prometheus/alerts.yaml')).groups[0].rules
const DASHBOARD: { panels: { title: string; targets?: { expr: string }[] }[] } = JSON.parse(
  read('deploy/grafana/housestyle.json'),
)
const options = needs('promtool')

/** Every expression of the alerts and the dashboard, with Grafana's variables filled in. */
const EXPRESSIONS = [
  ...RULES.map(({ alert, expr }) => ({ place: alert, expr })),
  ...DASHBOARD.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({
      place: title,
      expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$job', 'housestyle').replaceAll('$instance', '.+'),
    })),
  ),
]

function promtool(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' })
  return status === 0 ? 'ok' : `${stdout}${stderr}`
}

test('promtool accepts the alerts, and each one fires only when it should', options, () => {
  assert.equal(promtool('check', 'rules', pathTo('deploy/prometheus/alerts.yaml')), 'ok')
  assert.equal(promtool('test', 'rules', pathTo('deploy/prometheus/alerts.test.yaml')), 'ok')
  const { tests } = parse(read('deploy/prometheus/alerts.test.yaml'))
  const seen = tests.map(({ name }: { name: string }) => name).sort()
  assert.deepEqual(seen, RULES.flatMap(({ alert }) => [`${alert} fires`, `${alert} is quiet`]).sort())
})

test('promtool accepts every expression of the dashboard', options, async () => {
  const path = join(await temporaryFolder(), 'rules.yaml')
  const rules = EXPRESSIONS.map(({ expr }, at) => ({ record: `expression_${at}`, expr }))
  await writeFile(path, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
  assert.equal(promtool('check', 'rules', path), 'ok')
})

test('alerts and dashboard use existing metrics and labels', () => {
  const series = new Set(
    Object.entries(METRICS).flatMap(([name, { type }]) =>
      type === 'histogram' ? ['bucket', 'count', 'sum'].map(part => `${name}_${part}`) : [name],
    ),
  )
  const wrong = EXPRESSIONS.flatMap(({ place, expr }) => {
    const names = expr.match(/\b(?:housestyle|process|nodejs)_\w+/g) ?? []
    const labels = [...expr.matchAll(/(housestyle_\w+)\{([^}]*)\}/g)].flatMap(([, name = '', selectors = '']) => {
      const known = [...labelsOf(name), 'job', 'instance']
      return [...selectors.matchAll(/(\w+)\s*(?:=|!=|=~|!~)"/g)].flatMap(([, label = '']) =>
        known.includes(label) ? [] : [`${place}: ${name} has no label ${label}`],
      )
    })
    return [...names.filter(name => !series.has(name)).map(name => `${place}: there is no ${name}`), ...labels]
  })
  assert.deepEqual(wrong, [])
})

function labelsOf(name: string): readonly string[] {
  const base = name.replace(/_(bucket|count|sum)$/, '')
  return Object.entries(METRICS).find(([known]) => known === name || known === base)?.[1].labels ?? []
}

test('every metric of the service is on the dashboard', () => {
  const expressions = EXPRESSIONS.map(({ expr }) => expr).join('\n')
  const unexpected = Object.keys(METRICS).filter(name => !expressions.includes(name))
  assert.deepEqual(unexpected, [])
})

test('docs/monitoring.md has an action for each alert and lists no other alerts', () => {
  const [, section = ''] = read('docs/monitoring.md').split('## When an alert fires\n')
  const [table = ''] = section.split('\n## ')
  const names = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
  const expected = RULES.map(({ alert }) => alert)
  assert.deepEqual(names, expected)
})
