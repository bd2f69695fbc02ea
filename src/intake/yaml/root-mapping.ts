import type { Problem } from '../../brand/finding.ts'
import { type Fields, readFields } from './fields.ts'
import { readYaml } from './yaml.ts'

/**
 * The fields of a file that is one mapping; a file without anything in it has none. Undefined, with problems, where the
 * file cannot be read or is something else.
 *
 * @param what the file, as messages name it: `project.yaml`
 */
export function readRootMapping<Key extends string>(
  text: string,
  what: string,
  keys: readonly Key[],
): { fields: Fields<Key> | undefined; problems: Problem[] } {
  const { root, problems } = readYaml(text)
  if (root === undefined) return { fields: undefined, problems }
  const node = root.kind === 'empty' ? { kind: 'mapping' as const, line: root.line, entries: [] } : root
  return { fields: readFields(node, what, keys, problems), problems }
}
