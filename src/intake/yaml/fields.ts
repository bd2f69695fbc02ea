import { quote } from '../../base/text.ts'
import type { Problem, RuleId } from '../../brand/finding.ts'
import { nearest } from './nearest.ts'
import { about, type Reader, refuse } from './reader.ts'
import type { YamlEntry, YamlNode } from './yaml.ts'

/** The fields of one mapping, and where problems about them go. Representation by `readFields`, read with `take`. */
export type Fields<Key extends string> = {
  line: number
  entries: ReadonlyMap<string, YamlEntry>
  /** What the mapping describes: `a colour`. */
  what: string
  keys: readonly Key[]
  problems: Problem[]
}

/**
 * The fields of a node that should be a mapping with some of the given keys. Remarks on every other key; where the
 * node is no mapping, problems on that and gives undefined.
 */
export function readFields<Key extends string>(
  node: YamlNode,
  what: string,
  keys: readonly Key[],
  problems: Problem[],
  unknownRule: RuleId = 'key-unknown',
): Fields<Key> | undefined {
  if (node.kind !== 'mapping') {
    problems.push(about(what, refuse(node, `write "key: value" lines, with the keys ${keys.join(', ')}`)))
    return undefined
  }
  const known = new Set<string>(keys)
  for (const { key, line } of node.entries)
    if (!known.has(key)) problems.push({ rule: unknownRule, line, message: unknownKey(key, what, keys) })
  return { line: node.line, entries: new Map(node.entries.map(entry => [entry.key, entry])), what, keys, problems }
}

/** The value of a field; undefined where it is absent, and where it is wrong, which is remarked on. */
export function optional<Key extends string, Value>(
  fields: Fields<Key>,
  key: NoInfer<Key>,
  read: Reader<Value>,
): Value | undefined {
  const entry = fields.entries.get(key)
  if (entry === undefined) return undefined
  const reading = read(entry.value)
  if ('value' in reading) return reading.value
  fields.problems.push(about(`"${key}"`, reading))
  return undefined
}

/** The value of a field that has to be there; what is missing or wrong is remarked on. */
export function required<Key extends string, Value>(
  fields: Fields<Key>,
  key: NoInfer<Key>,
  read: Reader<Value>,
): Value | undefined {
  if (!fields.entries.has(key))
    fields.problems.push({
      rule: 'value-missing',
      line: fields.line,
      message: `${fields.what} has no "${key}"; write one`,
    })
  return optional(fields, key, read)
}

/** The line of a field, or of the mapping where the field is absent. */
export function lineOf<Key extends string>(fields: Fields<Key>, key: NoInfer<Key>): number {
  return fields.entries.get(key)?.line ?? fields.line
}

function unknownKey(key: string, what: string, keys: readonly string[]): string {
  const meant = nearest(key, keys)
  const help = meant === undefined ? `the keys are ${keys.join(', ')}` : `did you mean "${meant}"?`
  return `${quote(key)} is not a key of ${what}; ${help}`
}
