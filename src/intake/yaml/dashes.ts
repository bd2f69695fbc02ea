import type { Problem } from '#brand/finding.ts'
import { groupsOf, normalText, quote, wordSet } from '#platform/base/text.ts'

/**
 * The first item of a list of mappings that lacks its dash, or the space after it. Call only if the list could not be
 * read: a value of several lines may look like an item.
 *
 * @param itemKeys the keys of an item
 */
export function dashProblem(text: string, itemKeys: readonly string[]): Problem | undefined {
  let isInList = false
  /** The keys that begin a new item: before the first dash any, then `id` and `name` once the item before has them. */
  let firstKeys = new Set(itemKeys)
  for (const [at, line] of normalText(text).split('\n').entries()) {
    const item = line.trim()
    const [, sign, key = ''] = groupsOf(LINE, line)
    if (sign !== undefined) {
      const mistake = signMistake(item)
      if (mistake !== undefined) return itemProblem(at, mistake)
      isInList = true
      firstKeys = new Set()
    } else if (firstKeys.has(key)) {
      const fix = `write a dash and a space before its first key, as in ${quote(`- ${item}`)}`
      return itemProblem(at, `has no dash; ${fix}`)
    } else if (!isInList && CONTENT.test(line)) return undefined
    if (USUAL_FIRST_KEYS.has(key)) firstKeys.add(key)
  }
  return undefined
}

/** A line with the sign of an item, and with its key, both optional: `- name: Ink`, `• { "name": Ink }`, `hex: "#000"`. */
const LINE = /^\s*(?!\s)(?:([-–—−*•](?!--))\s*(?!\s))?(?:\{\s*(?!\s))?["']?(\w[\w-]*)?["']?\s*(?::|$)/u
/** A line that is not blank, not a comment, and has no dash. */
const CONTENT = /^\s*[^\s#-]/
/** The keys that an item usually begins with: a second `name` belongs to the next item. */
const USUAL_FIRST_KEYS = wordSet('id name')

function itemProblem(at: number, mistake: string): Problem {
  return { rule: 'yaml-syntax', line: at + 1, message: `the item ${mistake}` }
}

/** The mistake in a list that was read as text, as the end of a sentence. */
export function dashMistake(text: string): string | undefined {
  const mistake = signMistake(text)
  if (mistake !== undefined || !text.includes(' - ')) return mistake
  return 'has an item without a dash; begin each with a dash and a space'
}

/** The mistake in the sign of an item, such as `•` or a dash without a space, as the end of a sentence. */
function signMistake(item: string): string | undefined {
  const [sign = ''] = item
  const words = item.slice(1)
  const [text = ''] = words.split(/\s[-–—−*•]/u, 1)
  const fix = `write ${quote(`- ${text.trim()}`)}`
  if (OTHER_SIGNS.has(sign)) return `begins with ${quote(sign)} instead of a dash; ${fix}`
  return /^-\S/.test(item) ? `has no space after its dash; ${fix}` : undefined
}

/** Signs that people write for a dash. */
const OTHER_SIGNS = wordSet('– — − * •')
