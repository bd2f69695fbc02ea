import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Figure, Measure } from './support/bench.ts'

const USAGE = `npm run bench -- [NAME…]

Builds and packs the package and runs bench/*.bench.ts, or only the files that start with a NAME. Exits with 1 if a figure
is out of bounds. The benchmarks need Linux, two cores, wrk, nginx, taskset, git and Chromium. "adopt" needs only git: it
scores what init --from finds in small sources and in public repositories, which it fetches from GitHub, or takes from a
folder of clones, named such as owner+name, if BENCH_CLONES names it.`

await main()

async function main(): Promise<void> {
  const { values, positionals: names } = parseArgs({ allowPositionals: true, options: { help: { type: 'boolean' } } })
  if (values.help) return console.log(USAGE)
  const benches = globSync('*.bench.ts', { cwd: import.meta.dirname }).sort()
  const unknown = names.find(name => !benches.some(file => file.startsWith(name)))
  if (unknown !== undefined) {
    console.error(`no benchmark starts with "${unknown}"; choose from ${benches.join(', ')}`)
    process.exitCode = 1
    return
  }
  const folder = mkdtempSync(join(tmpdir(), 'housestyle-bench-'))
  try {
    const bin = unpackPackage(folder)
    for (const file of benches) {
      if (names.length > 0 && !names.some(name => file.startsWith(name))) continue
      console.log(`\n${file}`)
      await runBench(file, bin)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Builds, packs and unpacks the package, which contains its dependencies, so that it runs without src/. Returns its bin. */
function unpackPackage(folder: string): string {
  execFileSync('npm', ['pack', '--pack-destination', folder], { cwd: join(import.meta.dirname, '..'), stdio: 'ignore' })
  execFileSync('sh', ['-c', 'tar -xzf housestyle-*.tgz'], { cwd: folder })
  return join(folder, 'package/bin/housestyle.js')
}

async function runBench(file: string, bin: string): Promise<void> {
  const { measure }: { measure: Measure } = await import(`.//${file}`)
  const folder = mkdtempSync(join(tmpdir(), 'housestyle-bench-'))
  try {
    await using started = new AsyncDisposableStack()
    for await (const figure of measure({ bin, folder, started })) printFigure(figure)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function printFigure({ name, value, unit, bound, note }: Figure): void {
  const isWithin = 'atMost' in bound ? value <= bound.atMost : value >= bound.atLeast
  if (!isWithin) process.exitCode = 1
  const limit = 'atMost' in bound ? `at most ${bound.atMost}` : `at least ${bound.atLeast}`
  const amount = unit === 'ratio' || unit === 'ms' ? value.toFixed(2) : value.toFixed(0)
  const withUnit = unit === 'MB' || unit === 'ms' ? `${amount} ${unit}` : amount
  const verdict = isWithin ? 'holds' : 'FAILS'
  console.log(
    `  ${verdict}  ${withUnit.padStart(7)}  ${limit.padEnd(13)}  ${name}${note === undefined ? '' : `; ${note}`}`,
  )
}
