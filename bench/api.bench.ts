import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { makeBrands } from './api/brands.ts'
import { closedLoop } from './api/closed-loop.ts'
import { capacity, type Latency, openLoop } from './api/latency.ts'
import { CONSTANT, makeRows, type Row } from './api/rows.ts'
import { API, PAGE, UNCHANGED, VIEW } from './api/subjects.ts'
import { unpackPackage } from './package.ts'
import { median } from './quantile.ts'
import { Refusal } from './refusal.ts'
import type { Figure, Options } from './run.ts'

const ROUND_SECONDS = 1
/** What rounds of a row warm up, and do not count. */
const WARM_ROUNDS = 3
const LATENCY_SECONDS = 10
const SHARES = [0.3, 0.6, 0.9]
/** If the middle half of the figures of the reference lies further apart than this share of their median, they say nothing. */
const MOST_SPREAD = 0.25
const OUTPUT = resolve('bench-api.json')

/**
 * What a request costs in processor time: of housestyle, beside a constant reply of node:http, files of nginx, and other
 * servers. All servers share a core, on which one at a time has something to do, and what asks has another. Rounds take
 * turns, and begin with another row each time. Then how long replies take if requests come at a fixed rate.
 */
export async function* measure({ rounds, peers }: Options): AsyncGenerator<Figure> {
  const folder = mkdtempSync(`${tmpdir()}/housestyle-bench-`)
  try {
    await using started = new AsyncDisposableStack()
    const bin = unpackPackage(folder)
    const rows = await makeRows({ folder, bin, brands: await makeBrands(bin, folder), peers }, started)
    for (let round = 0; round < WARM_ROUNDS + rounds; round++)
      for (const at of rows.keys()) await ask(rows[(at + round) % rows.length], round >= WARM_ROUNDS)
    writeFileSync(OUTPUT, json(rows, []))
    refuseNoise(find(rows, CONSTANT))
    printTable(rows)
    yield* ratios(rows, peers)
    const latencies = await measureLatencies([find(rows, `housestyle: ${API}`), find(rows, CONSTANT)])
    printLatencies(latencies)
    writeFileSync(OUTPUT, json(rows, latencies))
    console.log(`  written to ${OUTPUT}`)
    yield* latencyFigures(latencies)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function json(rows: readonly Row[], latencies: readonly LatencyAt[]): string {
  const figures = rows.map(({ name, differs, rounds }) => ({ name, differs, rounds }))
  const run = { date: new Date(), node: process.version, cpu: cpus()[0]?.model }
  return JSON.stringify({ ...run, rows: figures, latencies }, undefined, 2)
}

/** Asks for a while. */
async function ask(row: Row | undefined, isCounted: boolean): Promise<void> {
  if (!row) return
  const round = await closedLoop(row.server, row.requests, ROUND_SECONDS)
  if (round.failed > 0) throw new Error(`${row.name}: ${round.failed} of ${round.requests} requests failed`)
  if (isCounted) row.rounds.push(round)
}

/** Throws if the rounds of the reference differ by so much that no figure of this run says anything. */
function refuseNoise({ name, rounds }: Row): void {
  const values = rounds.map(({ perCpuSecond }) => perCpuSecond).sort((a, b) => a - b)
  const quartile = (part: number) => values[Math.floor(values.length * part)] ?? Number.NaN
  const spread = (quartile(0.75) - quartile(0.25)) / median(values)
  if (spread > MOST_SPREAD)
    throw new Refusal(
      `too noisy for figures: half of the rounds of "${name}" lie ${Math.round(100 * spread)} % apart; stop what else runs`,
    )
}

function printTable(rows: readonly Row[]): void {
  const reference = find(rows, CONSTANT)
  const lines = rows.map(row => {
    const [each, share] = [Math.round(perCpuSecond(row)), Number(ratio(row, reference).toFixed(3))]
    return [row.name, { 'per CPU-second': each, '÷ constant': share, 'what differs': row.differs }]
  })
  console.table(Object.fromEntries(lines))
}

function perCpuSecond({ rounds }: Row): number {
  return median(rounds.map(each => each.perCpuSecond))
}

/** Of two rows: rounds that took turns are compared with each other, since the machine's own pace changes within minutes. */
function ratio(one: Row, other: Row): number {
  return median(one.rounds.map((round, at) => round.perCpuSecond / (other.rounds[at]?.perCpuSecond ?? Number.NaN)))
}

function find(rows: readonly Row[], name: string): Row {
  const row = rows.find(each => each.name === name)
  if (!row) throw new Error(`there is no row of ${name}`)
  return row
}

/** Each row, what it is compared with, and how many times as much for each second of the processor it is to answer at least. */
const BOUNDS = [
  [`housestyle: ${API}`, CONSTANT, 0.8],
  [`housestyle: ${API}`, `nginx: ${API}`, 0.7],
  [`housestyle: ${PAGE}`, `nginx: ${PAGE}`, 0.7],
  [`housestyle: ${VIEW}`, CONSTANT, 0.75],
] as const
const PEER_BOUNDS = [
  [`housestyle: ${PAGE}`, 'json-server', 10],
  [`housestyle: ${PAGE}`, 'Prism', 10],
  [`housestyle: ${PAGE}`, 'Payload', 50],
] as const

function ratios(rows: readonly Row[], peers: boolean): Figure[] {
  const between = (one: string, other: string) => ratio(find(rows, one), find(rows, other))
  const costOf304 = (server: string) => between(`${server}: ${PAGE}`, `${server}: ${UNCHANGED}`)
  const unchanged: Figure = {
    name: `what a 304 costs ÷ what the page costs (${costOf304('nginx').toFixed(2)} of nginx)`,
    value: costOf304('housestyle'),
    unit: 'ratio',
    wanted: { atMost: 0.8 },
  }
  const figures = [...BOUNDS, ...(peers ? PEER_BOUNDS : [])].map(
    ([one, other, atLeast]): Figure => ({
      name: `${one} ÷ ${other}, requests per CPU-second`,
      value: between(one, other),
      unit: 'ratio',
      wanted: { atLeast },
    }),
  )
  return [...figures, unchanged]
}

type LatencyAt = Latency & { name: string; share: number }

/** At each share of what a server can do. */
async function measureLatencies(rows: readonly Row[]): Promise<LatencyAt[]> {
  const found: LatencyAt[] = []
  for (const { name, server, requests, rounds } of rows)
    for (const share of SHARES) {
      const perSecond = Math.round(capacity(rounds) * share)
      found.push({ name, share, ...(await openLoop(server, requests, perSecond, LATENCY_SECONDS)) })
    }
  return found
}

function printLatencies(latencies: readonly LatencyAt[]): void {
  const shown = (value: number) => Number(value.toFixed(2))
  console.table(
    latencies.map(each => ({ ...each, p50: shown(each.p50), p99: shown(each.p99), p999: shown(each.p999) })),
  )
}

function latencyFigures(latencies: readonly LatencyAt[]): Figure[] {
  const at60 = (name: string) => latencies.find(each => each.name === name && each.share === 0.6)
  const [api, constant] = [at60(`housestyle: ${API}`), at60(CONSTANT)]
  const milliseconds = (quantile: 'p99' | 'p999', atMost: number): Figure => ({
    name: `${quantile} of the API at 60 % of what it can do (${constant?.[quantile].toFixed(1)} ms of ${CONSTANT})`,
    value: api?.[quantile] ?? Number.NaN,
    unit: 'ms',
    wanted: { atMost },
    ...((constant?.[quantile] ?? 0) > atMost && { note: 'too noisy: see the constant reply' }),
  })
  return [milliseconds('p99', 2), milliseconds('p999', 10)]
}
