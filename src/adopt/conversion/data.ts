import { parse as parseToml } from 'smol-toml'
import type { Json } from '#brand/formats/json.ts'
import { splitFrontMatter } from '#intake/pages/front-matter.ts'
import { isObject } from '#platform/base/object.ts'
import { attempt } from '#platform/base/result.ts'
import { CALLS, ITEMS, moduleValue } from '../sources/module-value.ts'

/** The data in a module, which is never run, in TOML, or in the TOML above a page; undefined for other files. */
export function otherData(path: string, text: string): Json | undefined {
  const [format] = /\.(?:[cm]?js|toml)$/i.exec(path) ?? [text.startsWith('+++') ? 'front' : undefined]
  if (format === undefined) return undefined
  const value = attempt(() => {
    if (format === 'front') return parseToml(/^\+\+\+\r?\n(.*?)\n\+\+\+/s.exec(text)?.[1] ?? '')
    return /js$/i.test(format) ? moduleData(text) : parseToml(text)
  })
  return jsonOfValue(value, 0)
}

/** Whether a file is a page with data above its text, such as `colors:`. */
export function hasPageData(path: string, text: string): boolean {
  if (!/\.(?:mdx?|markdown|html?)$/i.test(path)) return false
  return text.startsWith('+++') || splitFrontMatter(text).yaml !== undefined
}

function moduleData(text: string): unknown {
  const value = moduleValue(text, false)
  if (!isObject(value)) return value
  const { [CALLS]: _calls, [ITEMS]: items, ...named } = value
  return items ?? named
}

function jsonOfValue(value: unknown, depth: number): Json {
  if (depth > MAX_DEPTH) return null
  if (Array.isArray(value)) return value.map(each => jsonOfValue(each, depth + 1))
  if (isObject(value)) return new Map(Object.entries(value).map(([key, each]) => [key, jsonOfValue(each, depth + 1)]))
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}

const MAX_DEPTH = 40
