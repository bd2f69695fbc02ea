import { basename, extname, join } from 'node:path/posix'
import { type CompiledSass, openSass } from '#formats/css/sass.ts'
import { splitFrontMatter } from '#intake/pages/front-matter.ts'
import { decodeText } from '#platform/base/bytes.ts'
import { failed, type Result } from '#platform/base/result.ts'
import { wordSet } from '#platform/base/text.ts'

/** A file in SCSS or in the indented syntax of Sass. */
type SassSource = { path: string; bytes: Uint8Array }

/**
 * What Sass makes of a file: its variables and its CSS, and the keys of the files that these come from; no text if another
 * file has it inside, and a problem if Sass refuses it. `key` is its path as other files know it.
 */
export type SassReading = { key: string; text?: string; loaded: readonly string[]; problem?: string }

type Compilation = { key: string; isLoaded: boolean; result?: Result<CompiledSass, string> }

/** Whether a file is one for Sass, by its name. */
export function isSass(path: string): boolean {
  return SASS.has(extname(path).toLowerCase())
}

const SASS = wordSet('.scss .sass')

/**
 * Compiles the files that no other loads, each with the values that it gives to those that it loads. Partials are compiled
 * if nothing loads them. Ends after a few seconds, so that many files do not lose all for the limit of the process.
 */
export async function compileSheets(sources: readonly SassSource[]): Promise<SassReading[]> {
  const readings = sources.map(({ path }): Compilation => ({ key: join('/', path).slice(1), isLoaded: false }))
  // Jekyll compiles the sheets that begin with front matter.
  const texts = sources.map(({ bytes }) => splitFrontMatter(decodeText(bytes) ?? '').content)
  const compile = await openSass(new Map(readings.map(({ key }, at) => [key, texts[at] ?? ''])))
  const end = performance.now() + MAX_MS
  const compileAll = (some: readonly Compilation[]) => {
    for (const reading of some) reading.result = performance.now() < end ? compile(reading.key) : failed(TOO_LONG)
    const loaded = new Set(readings.flatMap(({ result }) => (result?.ok ? result.value.loaded : [])))
    for (const reading of readings) reading.isLoaded = loaded.has(reading.key)
  }
  const isPartial = ({ key }: Compilation) => basename(key).startsWith('_')
  compileAll(readings.filter(each => !isPartial(each)))
  compileAll(readings.filter(each => isPartial(each) && !each.isLoaded))
  return readings.map(readingOf)
}

function readingOf({ key, isLoaded, result }: Compilation): SassReading {
  if (isLoaded || !result) return { key, text: '', loaded: [] }
  if (!result.ok) return { key, loaded: [], problem: result.problem }
  const { variables, css, loaded } = result.value
  return { key, text: variables.map(([name, value]) => `$${name}: ${value};\n`).join('') + css, loaded }
}

const MAX_MS = 5000
const TOO_LONG = `the files before it take ${MAX_MS / 1000} s`
