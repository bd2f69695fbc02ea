import { isMap, isScalar, isSeq } from 'yaml'
import type { Slot } from './arrange.ts'
import { AT, DESCRIPTION, type EditorField, type FormValues, kindOf, PATH, subfields } from './field.ts'
import { lineStart } from './lines.ts'
import { entriesOf, fieldsIn, flagOf, hasValue, isAbsent, isSame, textOf, valuesIn, wordsOf } from './values.ts'
import { isEntry, readEntryFields, readField } from './yaml-form.ts'
import { type Part, partsOf } from './yaml-parts.ts'
import {
  joinParts,
  placeOf,
  type Rewrite,
  rewritePart,
  rewriteScalar,
  rewriteWords,
  textOfPart,
} from './yaml-rewrite.ts'
import { type Place, writeKey } from './yaml-scalar.ts'
import { type Collection, isFilled, scalarText, type YamlSource } from './yaml-source.ts'
import { newLine, pathOf, writeEntry, writeKeyed, writeObject, writePair, writeValue } from './yaml-write.ts'

/**
 * The text of a mapping with new values of these fields. Other keys and equal values are unchanged. Undefined if no key
 * is left.
 */
export function editFields(
  source: YamlSource,
  map: Collection,
  fields: readonly EditorField[],
  values: FormValues,
): string | undefined {
  const parts = partsOf(source.text, map)
  const place = placeOf(source, map, parts)
  const added = new Map(fields.map(field => [field.name, field]))
  const slots: Slot[] = []
  for (const [index, part] of parts.entries()) {
    const field = added.get(part.key)
    added.delete(part.key)
    const text = field ? editPart(source, part, field, values[field.name], place) : textOfPart(source, part)
    if (text !== undefined) slots.push({ index, text })
  }
  for (const field of added.values()) {
    const value = values[field.name]
    if (isAbsent(field, value)) continue
    slots.push({ text: writePair(writeKey(field.name), writeValue(field, value, place), place) })
  }
  return joinParts(source, map, parts, slots, place.isFlow ? undefined : newLine(place))
}

/** The text of a pair with the value of the form; undefined if the pair is removed. */
function editPart(
  source: YamlSource,
  part: Part,
  field: EditorField,
  value: unknown,
  place: Place,
): string | undefined {
  if (isSame(field, readField(field, part.node), value)) return textOfPart(source, part)
  const rewrite = editValue(source, part, field, value, place)
  return rewrite && rewritePart(source, part, rewrite)
}

/** Another value of a pair, which keeps as much as it can of the value before; undefined if it is absent. */
function editValue(
  source: YamlSource,
  part: Part,
  field: EditorField,
  value: unknown,
  place: Place,
): Rewrite | undefined {
  const { node } = part
  const kind = kindOf(field)
  const inline = isFilled(node) ? editCollection(source, node, field, value) : undefined
  if (inline !== undefined) return { inline }
  if (kind === 'flag')
    return typeof value === 'boolean' || !isAbsent(field, value)
      ? { inline: String(flagOf(value)), isWhole: true }
      : undefined
  if (isAbsent(field, value)) return undefined
  if (kind === 'text' || kind === 'color') return rewriteScalar(source, part, field, textOf(value), place)
  if (kind === 'words' && isScalar(node)) {
    const words = wordsOf(value)
    if (!words.some(word => word.includes(','))) return rewriteScalar(source, part, field, words.join(', '), place)
  }
  return { ...writeValue(field, value, place), isWhole: true }
}

/** The text of a collection that the form shows; undefined if nothing of it is left. */
function editCollection(source: YamlSource, node: Collection, field: EditorField, value: unknown): string | undefined {
  const before = readField(field, node)
  if (before === undefined) return undefined
  const kind = kindOf(field)
  if (kind === 'list' || kind === 'keyed') return editEntries(source, node, field, value)
  if (isMap(node)) return editFields(source, node, fieldsIn(field, [before, value]), valuesIn(field, value))
  if (!isSeq(node) || isAbsent(field, value)) return undefined
  return rewriteWords(source, node, field, wordsOf(value)).inline
}

/**
 * The text of a list or of a keyed mapping with the entries of the form, which are recognised by their index in the
 * file. Entries that the form does not show stay at their place. Undefined if no entry is left.
 */
export function editEntries(
  source: YamlSource,
  node: Collection,
  field: EditorField,
  value: unknown,
): string | undefined {
  const parts = partsOf(source.text, node, true)
  const place = placeOf(source, node, parts)
  const isShown = parts.map(part => isEntry(field, part.key, part.node))
  const used = new Set<number>()
  const entries = entriesOf(field, value).map((entry): Slot => {
    const at = textOf(entry[AT])
    const index = /^\d{1,9}$/.test(at) ? Number(at) : -1
    const part = parts[index]
    if (!part || !isShown[index] || used.has(index)) return { text: newEntry(field, entry, place) }
    used.add(index)
    return { index, text: editEntry(source, part, field, entry, place) }
  })
  return joinParts(
    source,
    node,
    parts,
    inOrder(
      parts.map(part => textOfPart(source, part)),
      isShown,
      entries,
    ),
  )
}

/** All entries in their new order: each new one is behind the one before it in the form. */
function inOrder(texts: readonly string[], isShown: readonly boolean[], entries: readonly Slot[]): Slot[] {
  const groups: Slot[][] = [[]]
  for (const entry of entries) {
    if (entry.index === undefined) groups.at(-1)?.push(entry)
    else groups.push([entry])
  }
  const [first = [], ...rest] = groups
  const kept = new Set(entries.map(({ index }) => index))
  let used = 0
  const slots = texts.flatMap((text, index): Slot[] => {
    if (!isShown[index]) return [{ index, text }]
    if (!kept.has(index)) return []
    used += 1
    return [...(used === 1 ? first : []), ...(rest[used - 1] ?? [])]
  })
  return used === 0 ? [...slots, ...first] : slots
}

function newEntry(field: EditorField, entry: FormValues, place: Place): string {
  if (kindOf(field) === 'keyed') return writeKeyed(field, entry, place)
  const text = writeEntry(field, entry, { ...place, column: place.column + 2 })
  return place.isFlow ? text : `- ${text}`
}

function editEntry(source: YamlSource, part: Part, field: EditorField, entry: FormValues, place: Place): string {
  const { key, keyStart, keyEnd, start, end, node } = part
  const isKeyed = kindOf(field) === 'keyed'
  const path = isKeyed ? pathOf(entry) : key
  const name = path === key ? undefined : writeKey(path, source.text.slice(keyStart, keyEnd))
  const before = { ...readEntryFields(field, node), [PATH]: path, [AT]: entry[AT] }
  if (isSame(field, [before], [entry])) {
    if (name === undefined) return textOfPart(source, part)
    return source.text.slice(start, keyStart) + name + source.text.slice(keyEnd, end)
  }
  const edited = isFilled(node) ? editFields(source, node, subfields(field), entry) : undefined
  const rewrite = edited === undefined ? newValue(source, part, field, entry, place) : { inline: edited }
  return rewritePart(source, part, rewrite, name)
}

/** The value of an entry that was empty or becomes so, or that was only a description. */
function newValue(source: YamlSource, part: Part, field: EditorField, entry: FormValues, place: Place): Rewrite {
  const { node, valueStart, valueEnd } = part
  const fields = subfields(field)
  const column = valueStart - lineStart(source.text, valueStart)
  if (kindOf(field) === 'list') return { inline: writeEntry(field, entry, { ...place, column }), isWhole: true }
  const description = fields.find(({ name }) => name === DESCRIPTION)
  const text = description && scalarText(node)
  if (!description || text === undefined) return { ...writeObject(fields, entry, place), isWhole: true }
  const others = fields.filter(({ name }) => name !== DESCRIPTION)
  const value = textOf(entry[DESCRIPTION])
  if (value !== '' && !hasValue(others, entry)) return rewriteScalar(source, part, description, value, place)
  const written = source.text.slice(valueStart, valueEnd)
  const isKept = !/[\r\n]/.test(written) && isSame(description, text, value)
  return { ...writeObject(fields, entry, place, isKept ? written : undefined), isWhole: true }
}
