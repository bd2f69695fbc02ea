import type { Problem, RuleId } from '#brand/finding.ts'
import type { YamlEntry, YamlNode } from '#formats/yaml/parse-yaml.ts'
import { quote } from '#platform/base/text.ts'
import { advice, nearest } from './nearest.ts'
import { inCurlyQuotes, invalid, type Reader, refuse, textOf, withSubject } from './reader.ts'
import { readYaml } from './yaml.ts'

/** The fields of a mapping, and the list that collects their problems. */
export type Fields<Key extends string> = {
  line: number
  entries: ReadonlyMap<string, YamlEntry>
  /** Entries with an unknown key, by the key that was probably meant. */
  misspelt: ReadonlyMap<string, YamlEntry>
  /** The name of the mapping in messages: `a colour`. */
  what: string
  keys: readonly Key[]
  problems: Problem[]
}

/** Reads a file that is one mapping, or empty; without fields, and with problems that call it `what`, if it is neither. */
export function readRootMapping<Key extends string>(
  text: string,
  what: string,
  keys: readonly Key[],
): { fields: Fields<Key>; problems: Problem[] } {
  const { root = { kind: 'empty', line: 1 }, problems } = readYaml(text)
  const node = root.kind === 'empty' ? { kind: 'mapping' as const, line: root.line, entries: [] } : root
  return { fields: readFields(node, what, keys, problems), problems }
}

/**
 * Reads a mapping that may have only these keys. A node that is not a mapping has one problem and no fields; problems with
 * missing ones are dropped.
 */
export function readFields<Key extends string>(
  node: YamlNode,
  what: string,
  keys: readonly Key[],
  problems: Problem[],
  unknownRule: RuleId = 'key-unknown',
): Fields<Key> {
  if (node.kind !== 'mapping') {
    problems.push(withSubject(what, refuse(node, `write "key: value" lines, with the keys ${keys.join(', ')}`)))
    return { line: node.line, entries: new Map(), misspelt: new Map(), what, keys, problems: [] }
  }
  const names = new Set<string>(keys)
  const misspelt = new Map<string, YamlEntry>()
  for (const entry of node.entries) {
    const { key, line } = entry
    if (names.has(key)) continue
    const meant = nearest(key, keys)
    if (meant !== undefined) misspelt.set(meant, entry)
    const help = advice(meant, `the keys are ${keys.join(', ')}`)
    problems.push({ rule: unknownRule, line, message: `${quote(key)} is not a key of ${what}; ${help}` })
  }
  const entries = new Map(node.entries.map(entry => [entry.key, entry]))
  return { line: node.line, entries, misspelt, what, keys, problems }
}

/** Reads a field. Undefined if it is absent; also undefined, with a problem, if it is invalid. */
export function readOptional<Key extends string, Value>(
  fields: Fields<Key>,
  key: NoInfer<Key>,
  read: Reader<Value>,
): Value | undefined {
  const entry = fields.entries.get(key)
  if (entry === undefined) return undefined
  const value = read(entry.value)
  if (value.ok) return value.value
  const curly = inCurlyQuotes(textOf(entry.value))
  fields.problems.push(withSubject(`"${key}"`, curly === undefined ? value : invalid(entry.value, curly)))
  return undefined
}

/** Reads a field of front matter, also a required one. A problem is only a warning: other tools use the same keys in other forms. */
export function readLeniently<Key extends string, Value>(
  fields: Fields<Key>,
  key: NoInfer<Key>,
  read: Reader<Value>,
  rule: RuleId = 'front-matter-value-unknown',
  readField: typeof readOptional = readOptional,
): Value | undefined {
  const problems: Problem[] = []
  const value = readField({ ...fields, problems }, key, read)
  fields.problems.push(...problems.map(({ line, message }) => ({ rule, line, message })))
  return value
}

/** Reads a required field. Undefined, with one problem, if it is missing, misspelt or invalid. */
export function readRequired<Key extends string, Value>(
  fields: Fields<Key>,
  key: NoInfer<Key>,
  read: Reader<Value>,
): Value | undefined {
  const message = `${fields.what} has no "${key}"; write one`
  if (!intendedEntry(fields, key)) fields.problems.push({ rule: 'value-missing', line: fields.line, message })
  return readOptional(fields, key, read)
}

/** The line of a field, or of the mapping if the field is absent. */
export function lineOf<Key extends string>(fields: Fields<Key>, key: NoInfer<Key>): number {
  return fields.entries.get(key)?.line ?? fields.line
}

/** The entry of a key, or of a probable misspelling of it. */
export function intendedEntry({ entries, misspelt }: Fields<string>, key: string): YamlEntry | undefined {
  return entries.get(key) ?? misspelt.get(key)
}
