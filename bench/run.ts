import { globSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Refusal } from './refusal.ts'

/** One measured figure, and the bound it is held to. */
export type Figure = {
  name: string
  value: number
  unit: 'ms' | 'MB' | 'ratio' | 'count'
  wanted: { atMost: number } | { atLeast: number }
  /** What to think of it, as that the machine had something else to do. */
  note?: string
}

/** What the command line asks of those benches that can be made longer or shorter. */
export type Options = { rounds: number; peers: boolean; requests: number }

type Measure = (options: Options) => Promise<Figure[]> | AsyncGenerator<Figure>

const USAGE = `npm run bench -- [NAME…] [--rounds N] [--no-peers] [--requests N]

Runs bench/*.bench.ts, or those whose file name begins with a NAME, and exits with 1 if a figure is out of its bound.

  --rounds N     how many rounds count, in api: two at least (default 15)
  --no-peers     in api, compare with no servers that have to be installed from npm
  --requests N   over how many requests memory is to be flat, in memory (default 1000000)
  --help         this text`

await main().catch(error => {
  const isParsing = error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
  if (!(error instanceof Refusal || isParsing)) throw error
  console.error(error.message)
  process.exitCode = 1
})

async function main(): Promise<void> {
  const { values, positionals: names } = parseArgs({
    allowPositionals: true,
    allowNegative: true,
    options: {
      rounds: { type: 'string', default: '15' },
      peers: { type: 'boolean', default: true },
      requests: { type: 'string', default: '1000000' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(USAGE)
  const rounds = count('--rounds', values.rounds, 2)
  const options: Options = { rounds, peers: values.peers, requests: count('--requests', values.requests, 1) }
  const benches = globSync('*.bench.ts', { cwd: import.meta.dirname }).sort()
  const unknown = names.find(name => !benches.some(file => file.startsWith(name)))
  if (unknown !== undefined) throw new Refusal(`no benchmark begins with ${unknown}: there are ${benches.join(', ')}`)
  for (const file of benches) {
    if (names.length > 0 && !names.some(name => file.startsWith(name))) continue
    const { measure }: { measure: Measure } = await import(`./${file}`)
    console.log(`\n${file}`)
    for await (const figure of await measure(options)) console.log(row(figure))
  }
}

function count(option: string, text: string, least: number): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < least)
    throw new Refusal(`${option}: "${text}" is not a whole number of at least ${least}`)
  return number
}

function row({ name, value, unit, wanted, note }: Figure): string {
  const holds = 'atMost' in wanted ? value <= wanted.atMost : value >= wanted.atLeast
  if (!holds) process.exitCode = 1
  const bound = 'atMost' in wanted ? `at most ${wanted.atMost}` : `at least ${wanted.atLeast}`
  const shown = `${value.toFixed(unit === 'ratio' ? 2 : 0)}${unit === 'ratio' || unit === 'count' ? '' : ` ${unit}`}`
  return `  ${holds ? 'holds' : 'FAILS'}  ${shown.padStart(8)}  ${bound.padEnd(13)}  ${name}${note === undefined ? '' : `; ${note}`}`
}
