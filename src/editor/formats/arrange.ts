import { lineStart } from './lines.ts'

/** An entry of a new order: its text, and its index before; without an index it is new. */
export type Slot = { index?: number; text: string }

/**
 * Joins the entries of a collection in a new order. The text between two entries (their separator) stays at its place
 * when entries move. A removed entry takes a separator with it, but no comments between entries.
 *
 * @param ranges the offsets of the entries before
 * @param fresh the separator of new entries
 */
export function arrange(
  text: string,
  ranges: readonly { start: number; end: number }[],
  slots: readonly Slot[],
  fresh: string,
  isFlow: boolean,
): string {
  const { lead, gaps, trail } = keptSeparators(text, ranges, slots, isFlow)
  let result = lead
  let keptBefore = 0
  for (const [at, slot] of slots.entries()) {
    const isKept = slot.index !== undefined
    const separator = isKept && keptBefore > 0 ? (gaps[keptBefore - 1] ?? fresh) : fresh
    result += at === 0 ? slot.text : separator + slot.text
    if (isKept) keptBefore += 1
  }
  return result + trail
}

/** The separator of new entries: the most frequent one without a comment. */
export function usualSeparator(separators: readonly string[], byDefault: string): string {
  const counts = new Map<string, number>()
  for (const separator of separators)
    if (!isCommented(separator)) counts.set(separator, (counts.get(separator) ?? 0) + 1)
  const [usual] = [...counts].sort(([a, ofA], [b, ofB]) => ofB - ofA || a.length - b.length)
  return usual?.[0] ?? byDefault
}

/** The text between each two entries. */
export function separatorsOf(text: string, ranges: readonly { start: number; end: number }[]): string[] {
  return ranges.slice(1).map(({ start }, at) => text.slice(ranges[at]?.end, start))
}

/** The separators that stay, and the comments before the first and behind the last entry that stays. */
function keptSeparators(
  text: string,
  ranges: readonly { start: number; end: number }[],
  slots: readonly Slot[],
  isFlow: boolean,
) {
  const separators = separatorsOf(text, ranges)
  const kept = slots.flatMap(({ index }) => (index === undefined ? [] : [index])).sort((a, b) => a - b)
  const [first = ranges.length - 1] = kept
  const gaps = kept.slice(1).map((index, at) => merge(separators.slice(kept[at], index), isFlow))
  const before = separators.slice(0, first).filter(isCommented)
  const behind = separators.slice(kept.at(-1) ?? separators.length)
  return {
    lead: isFlow ? '' : joinComments(before).trimStart(),
    gaps,
    trail: isFlow
      ? behind.slice(0, 1).filter(isCommented).join('')
      : joinComments(behind.filter(isCommented)).trimEnd(),
  }
}

/** The separator for several ones. In brackets a comment belongs to the entry before it. */
function merge(separators: readonly string[], isFlow: boolean): string {
  if (isFlow) return separators[0] ?? ''
  const commented = separators.filter(isCommented)
  if (commented.length > 0) return joinComments(commented)
  return separators.reduce((longest, each) => (each.length > longest.length ? each : longest), '')
}

/** Joins separators, each of which begins with a line end and ends with the indentation of the next entry. */
function joinComments([first = '', ...rest]: readonly string[]): string {
  return rest.reduce(
    (joined, each) => joined.slice(0, lineStart(joined, joined.length)) + each.replace(/^(?:\r\n|\n|\r)/, ''),
    first,
  )
}

function isCommented(separator: string): boolean {
  return separator.includes('#')
}
