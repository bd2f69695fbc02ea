import { errorMessage } from '#platform/base/error.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'

/** A JSON value. Objects are maps, so keys keep their order and none has a special meaning in JavaScript. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject

export type JsonObject = ReadonlyMap<string, Json>

/** A JSON value with its offsets in UTF-16 code units. */
export type JsonNode = {
  start: number
  end: number
  /** Undefined for objects and lists. */
  scalar: unknown
  isList: boolean
  /** The members of an object; those of a list are keyed by index: `0`, `1`. */
  members: Map<string, JsonNode>
}

/** Parses JSON (RFC 8259) with places, in linear time. The last of repeated keys wins. The problem ends a sentence. */
export function parseJson(text: string, onRepeated?: (key: string) => void): Result<JsonNode, string> {
  try {
    JSON.parse(text)
  } catch (error) {
    return failed(`is not JSON: ${errorMessage(error)}`)
  }
  const root: JsonNode = { start: 0, end: 0, scalar: undefined, isList: true, members: new Map() }
  const open = [root]
  /** The key whose value comes next. */
  let key: string | undefined
  // Without escapes, a quotation mark always ends a string.
  for (const { 0: token, index: start } of text.replace(/\\./g, '__').matchAll(TOKEN)) {
    const end = start + token.length
    const { members } = open.at(-1) ?? root
    if (token === '}' || token === ']') Object.assign(open.pop() ?? root, { end })
    else if (token.endsWith(':')) key = String(JSON.parse(text.slice(start, end - 1)))
    else {
      const isOpen = token === '{' || token === '['
      const scalar: unknown = isOpen ? undefined : JSON.parse(text.slice(start, end))
      const node = { start, end, scalar, isList: token === '[', members: isOpen ? new Map() : NO_MEMBERS }
      if (key !== undefined && members.has(key)) onRepeated?.(key)
      members.set(key ?? String(members.size), node)
      key = undefined
      if (isOpen) open.push(node)
    }
    if (open.length > MAX_DEPTH) return failed(`is nested more than ${MAX_DEPTH} deep: flatten it`)
  }
  return ok(root.members.get('0') ?? root)
}

const MAX_DEPTH = 200
const NO_MEMBERS: JsonNode['members'] = new Map()
/** Strings, with a colon if they are keys, brackets, and other values. */
const TOKEN = /"[^"]*"(?:\s*:)?|[{}[\]]|[^\s{}[\],:"]+/g

/** The value of parsed JSON. */
export function jsonOf({ scalar, isList, members }: JsonNode): Json {
  if (typeof scalar === 'string' || typeof scalar === 'number' || typeof scalar === 'boolean' || scalar === null)
    return scalar
  const values = Array.from(members, ([key, member]): [string, Json] => [key, jsonOf(member)])
  return isList ? values.map(([, value]) => value) : new Map(values)
}

/** A string as it is, and any other value as JSON. */
export function jsonText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value, (_, inner: unknown) => plainOf(inner))
}

function plainOf(value: unknown): unknown {
  return value instanceof Map ? Object.fromEntries(value) : value
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

/** A string member; empty if it is anything else. */
export function textIn(value: Json | undefined, key: string): string {
  return textMember(value, key) ?? ''
}

/** An object member; undefined if it is anything else. */
export function objectMember(value: Json | undefined, key: string): JsonObject | undefined {
  const object = member(value, key)
  return isObject(object) ? object : undefined
}

/** An object member; empty if it is anything else. */
export function objectIn(value: Json | undefined, key: string): JsonObject {
  return objectMember(value, key) ?? EMPTY
}

const EMPTY: JsonObject = new Map()

/** A number without an exponent, as style files require, in at most 100 characters, the limit for reading. */
export function plainNumber(number: number): string {
  const text = String(number)
  return text.includes('e-') ? number.toFixed(98).replace(/(?<!0)0+$/, '') : text
}
