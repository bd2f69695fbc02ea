/** A mapping entry with key and value on one line. */
type PlainEntry = { key: string; line: number; value: { kind: 'text'; line: number; text: string } }

/**
 * Reads YAML that consists only of lines such as `title: Clear space` or `title: "Clear space"`, like most front
 * matter. A full YAML parser takes twenty times longer. Undefined if any line has another form, or a key appears twice.
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
/** Letters, digits, punctuation, symbols and spaces: no control characters or other white space. */
const SAFE = String.raw`[\p{L}\p{N}\p{P}\p{S} ]`
/**
 * A bare value begins with a letter or digit, has no colon or `#`, and does not end with a space. Quoted values contain
 * no quotes or escapes.
 */
const LINE = new RegExp(
  String.raw`^(?<key>[a-zA-Z][\w-]{0,60}): (?:(?<bare>[\p{L}\p{N}](?:(?![:#])${SAFE})*(?<! ))|"(?<double>(?:(?!["\\])${SAFE})*)"|'(?<single>(?:(?!')${SAFE})*)')$`,
  'u',
)
