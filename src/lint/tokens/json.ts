import { errorMessage } from '../../base/error.ts'
import { failed, ok, type Result } from '../../base/result.ts'

/** A JSON value and its offsets in UTF-16 code units. */
export type JsonNode = {
  start: number
  end: number
  /** Undefined for objects and lists. */
  scalar: unknown
  /** The members of an object; those of a list are keyed by index: `0`, `1`. */
  members: Map<string, JsonNode>
}

/** Parses JSON (RFC 8259) with places, in linear time. The last of repeated keys wins. The problem ends a sentence. */
export function parseJson(text: string): Result<JsonNode, string> {
  try {
    JSON.parse(text)
  } catch (error) {
    return failed(`is not JSON: ${errorMessage(error)}`)
  }
  const root: JsonNode = { start: 0, end: 0, scalar: undefined, members: new Map() }
  const open = [root]
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
      const node = { start, end, scalar, members: isOpen ? new Map() : NO_MEMBERS }
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
