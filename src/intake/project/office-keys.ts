import { withoutUndefined } from '../../base/object.ts'
import { OFFICE_COLORS, OFFICE_FONTS } from '../../brand/appearance.ts'
import type { Problem } from '../../brand/finding.ts'
import { OFFICE_KEYS } from '../schema/project.ts'
import { keysOf } from '../schema/schema.ts'
import { readFields, readOptional } from '../yaml/fields.ts'
import { type Reference, readReference } from '../yaml/references.ts'
import type { YamlNode } from '../yaml/yaml.ts'

/** The Office theme in project.yaml: unresolved colours and families. */
export type WrittenOffice = { [Key in keyof typeof OFFICE_KEYS]?: Reference }

const KEYS = keysOf(OFFICE_KEYS)

const WHOLE = [
  [OFFICE_COLORS, 'an Office theme needs twelve colours; write them all, and repeat a colour if necessary'],
  [OFFICE_FONTS, 'an Office theme needs two fonts; write both, and repeat the family if there is only one'],
] as const

/** Reads `office`: all twelve colours or none, both families or none. Undefined if it has neither. */
export function readOffice(node: YamlNode, problems: Problem[]): WrittenOffice | undefined {
  const fields = readFields(node, 'office', KEYS, problems)
  if (!fields) return undefined
  if (fields.entries.size === 0) {
    const message = `"office" is empty; write "key: value" lines, with the keys ${KEYS.join(', ')}`
    problems.push({ rule: 'value-invalid', line: node.line, message })
  }
  for (const [keys, fix] of WHOLE) {
    const absent = keys.filter(key => !fields.entries.has(key))
    if (absent.length === 0 || absent.length === keys.length) continue
    problems.push({ rule: 'value-missing', line: node.line, message: `"office" has no ${absent.join(', ')}: ${fix}` })
  }
  const written = KEYS.map(key => [key, readOptional(fields, key, readReference)] as const)
  const office: WrittenOffice = withoutUndefined(Object.fromEntries(written))
  return Object.keys(office).length === 0 ? undefined : office
}
