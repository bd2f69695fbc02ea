import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { densestOf, densityOf, medianOf, rateOf, sumOf } from '../test/house/decisions.ts'

/* Prints how many decisions `src` has, and the files that decide most in each line (test/house/decisions.ts). */

const SHOWN = 10

const root = dirname(import.meta.dirname)
const paths = globSync('src/**/*.ts', { cwd: root }).filter(path => !path.endsWith('.d.ts'))
const densities = paths.map(path => densityOf({ path, text: readFileSync(join(root, path), 'utf8') }))
console.log(`${sumOf(densities)} decisions, ${medianOf(densities).toFixed(1)} in 100 lines in the median file; most in`)
for (const density of densestOf(densities).slice(0, SHOWN))
  console.log(`${rateOf(density).toFixed(1).padStart(7)}  ${density.path}`)
