/** An entry of a mapping, whose key and value stand on one line. */
type PlainEntry = { key: string; line: number; value: { kind: 'text'; line: number; text: string } }

/**
 * Reads YAML of nothing but lines as `title: Clear space` or `title: "Clear space"`, as the front matter of nearly every
 * page is: a parser of all of YAML takes twenty times longer for it. Undefined if any line is another, or if a key stands
 * there twice.
 */
export function readPlainMapping(text: string, firstLine: number): PlainEntry[] | undefined {
  const entries: PlainEntry[] = []
  const lines = text.replace(/\n$/, '').split('\n', MAX_LINES + 1)
  if (lines.length > MAX_LINES) return undefined
  for (const [at, written] of lines.entries()) {
    const { key, bare, double, single } = LINE.exec(written)?.groups ?? {}
    if (key === undefined || entries.some(entry => entry.key === key)) return undefined
    const line = firstLine + at
    entries.push({ key, line, value: { kind: 'text', line, text: bare ?? double ?? single ?? '' } })
  }
  return entries
}

const MAX_LINES = 20
/** Letters, digits, punctuation and symbols: no control characters, and no white space but spaces. */
const SAFE = String.raw`[\p{L}\p{N}\p{P}\p{S} ]`
/**
 * A bare value begins with a letter or digit, has no colon and no `#`, and ends with no space. Quoted ones have no
 * quotes and escapes in them.
 */
const LINE = new RegExp(
  String.raw`^(?<key>[a-zA-Z][\w-]{0,60}): (?:(?<bare>[\p{L}\p{N}](?:(?![:#])${SAFE})*(?<! ))|"(?<double>(?:(?!["\\])${SAFE})*)"|'(?<single>(?:(?!')${SAFE})*)')$`,
  'u',
)
