import { isScalar, type YAMLSeq } from 'yaml'
import { arrange, type Slot, separatorsOf, usualSeparator } from './arrange.ts'
import type { EditorField } from './field.ts'
import { columnOf, endOf, type Part, partsOf } from './yaml-parts.ts'
import { type Place, type Written, writeScalar } from './yaml-scalar.ts'
import { type Collection, isEmptyNode, isFilled, type YamlSource } from './yaml-source.ts'
import { isChoice, newLine, writeWord } from './yaml-write.ts'

/** A value that replaces another. `isWhole` if it keeps nothing of a collection before it. */
export type Rewrite = Written & { isWhole?: boolean }

export function textOfPart({ text }: YamlSource, { start, end }: Part): string {
  return text.slice(start, end)
}

/** The text of an entry with another value, and with another key if one is given. */
export function rewritePart({ text, eol }: YamlSource, part: Part, rewrite: Rewrite, key?: string): string {
  const { start, keyStart, keyEnd, head, valueStart, valueEnd, end, node, lacksColon } = part
  const { inline, below, isWhole } = rewrite
  const name = text.slice(start, keyStart) + (key ?? text.slice(keyStart, keyEnd)) + text.slice(keyEnd, head)
  const gap = text.slice(head, valueStart)
  const isOwnLine = isWhole === true && isFilled(node) && node.flow !== true && !gap.includes('#')
  const space = inline === '' ? gap.trimEnd() : isOwnLine || (gap === '' && isEmptyNode(node)) ? ' ' : gap
  const [rest = ''] = /^[^\r\n]*/.exec(text.slice(valueEnd, end)) ?? []
  const lines = text.slice(valueEnd + rest.length, end)
  const line = `${name}${lacksColon ? ':' : ''}${space}${inline}${rest.startsWith('#') ? ' ' : ''}${rest}`
  return line + (below === undefined ? '' : eol + below) + lines
}

/** A scalar with another string, in its style. */
export function rewriteScalar(
  { text }: YamlSource,
  part: Part,
  field: EditorField,
  value: string,
  place: Place,
): Rewrite {
  const { valueStart, valueEnd, end, node } = part
  // A block would take comment lines below as its own.
  const isFlow = place.isFlow || /[\r\n]/.test(text.slice(valueEnd, end))
  const before = isScalar(node) ? { node, source: text.slice(valueStart, valueEnd) } : undefined
  return { ...writeScalar(value, { ...place, isFlow }, before, isChoice(field)), isWhole: true }
}

/** A list of scalars with other strings. Each entry that stays keeps its style and its comment. */
export function rewriteWords(
  source: YamlSource,
  seq: YAMLSeq.Parsed,
  field: EditorField,
  words: readonly string[],
): Rewrite {
  const parts = partsOf(source.text, seq)
  const place = placeOf(source, seq, parts)
  const before = seq.items.map(item => (isScalar(item) ? item.source.trim() : ''))
  const indexes = pairWords(before, words)
  const slots = words.map((word, at): Slot => {
    const index = indexes[at]
    const part = index === undefined ? undefined : parts[index]
    if (index === undefined || !part) return { text: (place.isFlow ? '' : '- ') + writeWord(field, word, place) }
    if (before[index] === word) return { index, text: textOfPart(source, part) }
    return {
      index,
      text: rewritePart(source, part, rewriteScalar(source, part, field, word, { ...place, isFlow: true })),
    }
  })
  return { inline: joinParts(source, seq, parts, slots) ?? '[]' }
}

/** The index before of each word: of an equal one, else of the one at its place, unless another word equals that one. */
function pairWords(before: readonly string[], words: readonly string[]): (number | undefined)[] {
  const free = Map.groupBy(before.keys(), index => before[index])
  for (const indexes of free.values()) indexes.reverse()
  const equal = words.map(word => free.get(word)?.pop())
  const isTaken = new Set(equal)
  return equal.map((index, at) => index ?? (at < before.length && !isTaken.has(at) ? at : undefined))
}

/** The text of a collection with these entries; undefined if there are none. */
export function joinParts(
  source: YamlSource,
  collection: Collection,
  parts: readonly Part[],
  slots: readonly Slot[],
  separator?: string,
): string | undefined {
  if (slots.length === 0) return undefined
  const { text } = source
  const place = placeOf(source, collection, parts)
  const fresh = separator ?? usualSeparator(separatorsOf(text, parts), place.isFlow ? ', ' : newLine(place))
  const open = text.slice(collection.range[0], parts[0]?.start)
  const close = text.slice(parts.at(-1)?.end, endOf(text, collection))
  const entries = arrange(text, parts, slots, fresh, place.isFlow)
  if (!place.isFlow || !/\s$/.test(entries)) return open + entries + close
  // The last entry is gone, but the comma and the comment above it stay.
  const rest = close.replace(/^\s*,/, '')
  return open + (/^[ \t]*[\r\n]/.test(rest) ? entries.trimEnd() : entries) + rest
}

/** The place of new entries in a collection. */
export function placeOf({ text, eol }: YamlSource, collection: Collection, parts: readonly Part[]): Place {
  const isFlow = collection.flow === true
  return { column: isFlow ? 0 : columnOf(text, parts), isFlow, eol }
}
