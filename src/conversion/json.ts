import { errorMessage } from '../base/error.ts'
import { failed, ok, type Result } from '../base/result.ts'

/** A JSON value. Objects are maps, so keys keep their order and none has a special meaning in JavaScript. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject

export type JsonObject = ReadonlyMap<string, Json>

/** Parses JSON (RFC 8259); keys keep their order, and the last of repeated ones wins. The problem ends a sentence. */
export function parseJson(text: string, onRepeated: (key: string) => void): Result<Json, string> {
  try {
    // A leading colon keeps keys from looking like indexes, which JavaScript would sort before the others.
    const marked = text.replace(STRING, (string, colon) => (colon ? `":${string.slice(1)}` : string))
    if (isTooDeep(text, onRepeated)) return failed(`is nested more than ${MAX_DEPTH} deep; flatten it`)
    JSON.parse(text)
    return ok(withPlainKeys(JSON.parse(marked)))
  } catch (error) {
    return failed(`is not JSON: ${errorMessage(error)}`)
  }
}

const MAX_DEPTH = 64
/** A string, and the colon after it if it is a key. */
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g
const SIGN = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[[{\]}]/g

/** Whether brackets are nested too deeply; also reports repeated keys. */
function isTooDeep(text: string, onRepeated: (key: string) => void): boolean {
  const open: Set<string>[] = []
  for (const [sign, string, colon] of text.matchAll(SIGN)) {
    if (sign === '[' || sign === '{') open.push(new Set())
    else if (sign === ']' || sign === '}') open.pop()
    else if (string !== undefined && colon !== undefined) {
      const keys = open.at(-1)
      if (keys?.has(string)) onRepeated(string.slice(1, -1))
      keys?.add(string)
    }
    if (open.length > MAX_DEPTH) return true
  }
  return false
}

function withPlainKeys(value: unknown): Json {
  if (Array.isArray(value)) return value.map(withPlainKeys)
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  if (typeof value !== 'object' || value === null) return null
  return new Map(Object.entries(value).map(([key, inner]) => [key.slice(1), withPlainKeys(inner)]))
}

export function isObject(value: Json | undefined): value is JsonObject {
  return value instanceof Map
}

/** A member of an object; undefined if it is absent, or if the value is not an object. */
export function member(value: Json | undefined, key: string): Json | undefined {
  return isObject(value) ? value.get(key) : undefined
}

/** A string member; undefined if it is anything else. */
export function textMember(value: Json | undefined, key: string): string | undefined {
  const text = member(value, key)
  return typeof text === 'string' ? text : undefined
}

/** A number without an exponent, as style files require, in at most 100 characters, the limit for reading. */
export function plainNumber(number: number): string {
  const text = String(number)
  return text.includes('e-') ? number.toFixed(98).replace(/0+$/, '') : text
}
