import type { Problem } from '#brand/finding.ts'
import { groupsOf, quote } from '#platform/base/text.ts'

/**
 * The first item of a list of mappings that lacks its dash, or the space after it. Call only if the list could not be
 * read: a value of several lines may look like an item.
 *
 * @param itemKeys the keys of an item
 */
export function dashProblem(text: string, itemKeys: readonly string[]): Problem | undefined {
  let keys: Set<string> | undefined
  for (const [at, line] of text.split(/\r\n|\r|\n/).entries()) {
    const [, sign, key = ''] = groupsOf(LINE, line)
    if (!keys && sign === undefined && !itemKeys.includes(key) && /^\s*[^\s#-]/.test(line)) return undefined
    const lacksDash = sign === undefined && key !== '' && (!keys || (FIRST.has(key) && keys.has(key)))
    const noDash = `has no dash; write a dash and a space before its first key, as in ${quote(`- ${line.trim()}`)}`
    const mistake = lacksDash ? noDash : sign && signMistake(line.trim())
    if (mistake) return { rule: 'yaml-syntax', line: at + 1, message: `the item ${mistake}` }
    if (sign !== undefined) keys = new Set()
    keys?.add(key)
  }
  return undefined
}

/** The keys that an item begins with. */
const FIRST: ReadonlySet<string> = new Set(['id', 'name'])

/** A line with the sign of an item, and with its key. */
const LINE = /^\s*(?!\s)(?:([-–—−*•](?!--))\s*(?!\s))?(?:\{\s*(?!\s))?["']?(\w[\w-]*)?["']?\s*(?::|$)/u

/** The mistake in a list that was read as text, as the end of a sentence. */
export function dashMistake(text: string): string | undefined {
  const noFirst = 'has an item without a dash; begin each with a dash and a space'
  return signMistake(text) ?? (/ - /.test(text) ? noFirst : undefined)
}

function signMistake(item: string): string | undefined {
  const [first = ''] = item
  const [words = ''] = item.slice(1).split(/\s[-–—−*•]/u, 1)
  const meant = quote(`- ${words.trim()}`)
  if (/^-\S/.test(item)) return `has no space after its dash; write ${meant}`
  return /^[–—−*•]/u.test(item) ? `begins with ${quote(first)} instead of a dash; write ${meant}` : undefined
}
