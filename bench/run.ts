import { globSync } from 'node:fs'

/** One measured figure, and the bound it is held to. */
export type Figure = {
  name: string
  value: number
  unit: 'ms' | 'MB' | 'ratio' | 'count'
  wanted: { atMost: number } | { atLeast: number }
  /** What to think of it, as that the machine had something else to do. */
  note?: string
}

/*
 * npm run bench [-- NAME…]: runs bench/*.bench.ts, or those whose file name begins with a NAME. Each exports
 * `measure`, which gives its figures. Exits 1 where a figure is out of its bound.
 */
const names = process.argv.slice(2)
const benches = globSync('*.bench.ts', { cwd: import.meta.dirname })
  .filter(file => names.length === 0 || names.some(name => file.startsWith(name)))
  .sort()

for (const file of benches) {
  const { measure }: { measure: () => Promise<Figure[]> | AsyncGenerator<Figure> } = await import(`./${file}`)
  console.log(`\n${file}`)
  for await (const figure of await measure()) console.log(row(figure))
}

function row({ name, value, unit, wanted, note }: Figure): string {
  const holds = 'atMost' in wanted ? value <= wanted.atMost : value >= wanted.atLeast
  if (!holds) process.exitCode = 1
  const bound = 'atMost' in wanted ? `at most ${wanted.atMost}` : `at least ${wanted.atLeast}`
  const shown = `${value.toFixed(unit === 'ratio' ? 2 : 0)}${unit === 'ratio' || unit === 'count' ? '' : ` ${unit}`}`
  return `  ${holds ? 'holds' : 'FAILS'}  ${shown.padStart(8)}  ${bound.padEnd(13)}  ${name}${note === undefined ? '' : `; ${note}`}`
}
