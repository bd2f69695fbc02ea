import { isObject, parsedJson } from '#platform/base/object.ts'
import { attempt, failed, ok, type Result } from '#platform/base/result.ts'
import { ALGORITHMS, type Algorithm } from '../keys/jose.ts'

/** A token with an unchecked signature: enough to choose a key, or to refuse it early. */
export type UnverifiedToken = {
  header: { typ: string; alg: Algorithm; kid: string }
  claims: Readonly<Record<string, unknown>>
}

/** The reason for refusing a token. Logged, but never sent to the client. */
export type TokenProblem =
  | 'no-credentials'
  | 'repeated'
  | 'too-long'
  | 'malformed'
  | 'algorithm'
  | 'header-parameter'
  | 'type'
  | 'key-unknown'
  | 'issuer'
  | 'audience'
  | 'workspace'
  | 'claims'
  | 'expired'
  | 'expires-too-late'
  | 'not-yet-valid'
  | 'revoked'
  | 'client'
  | 'signature'

/**
 * Reads a compact JWS (RFC 7515 §7.1) without checking its signature. Refuses more than 8 KiB, non-canonical base64url,
 * JSON that is not strict, an unsupported algorithm, a missing `kid`, and any header parameter that would supply a key
 * or change how the token is read (RFC 8725 §3.10).
 */
export function readUnverified(token: string): Result<UnverifiedToken, TokenProblem> {
  if (token.length > MAX_LENGTH) return failed('too-long')
  const parts = token.split('.', 4)
  if (parts.length !== 3) return failed('malformed')
  const [header, claims, signature] = parts.map(decodePart)
  if (!header || !claims || !signature) return failed('malformed')
  const parameters = parseStrictObject(header)
  const payload = parseStrictObject(claims)
  if (!parameters || !payload) return failed('malformed')
  const { typ, alg, kid } = parameters
  const algorithm = ALGORITHMS.find(each => each === alg)
  if (!algorithm) return failed('algorithm')
  if (Object.keys(parameters).some(name => !KNOWN_PARAMETERS.has(name))) return failed('header-parameter')
  if (typeof typ !== 'string') return failed('type')
  if (typeof kid !== 'string' || kid.length > MAX_KID) return failed('key-unknown')
  return ok({ header: { typ, alg: algorithm, kid }, claims: payload })
}

/** In characters: 8 KiB, because a token is ASCII. */
const MAX_LENGTH = 8192
/** The length of the id of a key in characters. */
const MAX_KID = 256
const KNOWN_PARAMETERS = new Set(['typ', 'alg', 'kid', 'cty', 'x5t', 'x5t#S256'])

/** Decodes a part; undefined if it is empty or not in canonical form (RFC 4648 §3.5). */
function decodePart(part: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(part)) return undefined
  const bytes = Buffer.from(part, 'base64url')
  return bytes.toString('base64url') === part ? bytes : undefined
}

/** Parses JSON as strictly as tokens need (RFC 7519 §4, RFC 8725 §2.4): UTF-8, no BOM, no repeated name. */
function parseStrictObject(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  const text = attempt(() => DECODER.decode(bytes)) ?? ''
  const value = parsedJson(text)
  return isObject(value) && hasUniqueNames(text) ? value : undefined
}

const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Whether no object in JSON has a name twice: `{"a":1,"a":2}` does, `{"a":{"a":1}}` does not. It is valid JSON, so
 * its strings and brackets are enough.
 */
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

/** The strings and brackets of a JSON text, in order. A string with a colon after it is a name. */
function* tokens(text: string): Generator<[token: string, isName: boolean]> {
  for (const match of text.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\]]/g))
    yield [match[1] ?? match[0], match[2] !== undefined]
}
