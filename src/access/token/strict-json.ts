/**
 * Parses a JSON object with the strictness that tokens need (RFC 7519 §4, RFC 8725 §2.4): valid UTF-8, no byte order
 * mark, and no repeated name in any object. Undefined for anything else.
 */
export function parseStrictObject(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const text = DECODER.decode(bytes)
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject && hasUniqueNames(text) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text is valid JSON, so strings and brackets are enough. */
function hasUniqueNames(text: string): boolean {
  const open: Set<string>[] = []
  for (const [token, isName] of tokens(text)) {
    if (token === '{' || token === '[') open.push(new Set())
    else if (token === '}' || token === ']') open.pop()
    else if (isName) {
      const names = open.at(-1)
      const name: string = JSON.parse(token)
      if (names?.has(name)) return false
      names?.add(name)
    }
  }
  return true
}

function* tokens(text: string): Generator<[token: string, isName: boolean]> {
  for (const match of text.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\]]/g))
    yield [match[1] ?? match[0], match[2] !== undefined]
}
