import { globSync } from 'node:fs'
import { parseArgs } from 'node:util'

/** A measured figure and its bound. */
export type Figure = {
  name: string
  value: number
  unit: 'MB' | 'ratio' | 'count' | 'ms'
  bound: { atMost: number } | { atLeast: number }
  /** Anything that helps to judge the figure, such as noise on the machine. */
  note?: string
}

type Measure = () => AsyncGenerator<Figure>

const USAGE = `npm run bench -- [NAME…]

Runs bench/*.bench.ts, or only the files that start with a NAME. Exits with 1 if a figure is out of bounds.
The benchmarks need Linux, two cores, wrk, nginx, taskset and git.`

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
  for (const file of benches) {
    if (names.length > 0 && !names.some(name => file.startsWith(name))) continue
    const { measure }: { measure: Measure } = await import(`./${file}`)
    console.log(`\n${file}`)
    for await (const figure of measure()) printFigure(figure)
  }
}

function printFigure({ name, value, unit, bound, note }: Figure): void {
  const isWithin = 'atMost' in bound ? value <= bound.atMost : value >= bound.atLeast
  if (!isWithin) process.exitCode = 1
  const limit = 'atMost' in bound ? `at most ${bound.atMost}` : `at least ${bound.atLeast}`
  const amount = unit === 'ratio' || unit === 'ms' ? value.toFixed(2) : value.toFixed(0)
  const shown = unit === 'MB' || unit === 'ms' ? `${amount} ${unit}` : amount
  const verdict = isWithin ? 'holds' : 'FAILS'
  console.log(
    `  ${verdict}  ${shown.padStart(7)}  ${limit.padEnd(13)}  ${name}${note === undefined ? '' : `; ${note}`}`,
  )
}
