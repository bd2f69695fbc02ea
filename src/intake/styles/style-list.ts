import { quote } from '../../base/text.ts'
import type { Problem } from '../../brand/finding.ts'
import { isStyleId, type StyleId } from '../../brand/ids.ts'
import { slug } from '../../brand/slug.ts'
import { type Fields, lineOf, optional, readFields, required } from '../yaml/fields.ts'
import { readStyleId } from '../yaml/ids.ts'
import { about, refuse } from '../yaml/reader.ts'
import { readName } from '../yaml/texts.ts'
import { readYaml } from '../yaml/yaml.ts'

/** The fields of every style. */
type Named = { id: StyleId; name: string }

/** The styles of a list without an error, the ids of all of them, and the problems. */
type StyleList<Key extends string, Rest> = {
  entries: { style: Named & Rest; fields: Fields<Key> }[]
  ids: StyleId[]
  problems: Problem[]
}

/**
 * Reads a list of styles. Each is a mapping with a name and an id of its own; `readRest` reads its other fields. A
 * style with an error is left out, and the others are read.
 *
 * @param what a style of the list, as messages name it: `a colour`
 */
export function readStyleList<Key extends string, Rest>(
  text: string,
  what: string,
  keys: readonly Key[],
  readRest: (fields: Fields<Key>) => Rest | undefined,
): StyleList<Key, Rest> {
  const { root, problems } = readYaml(text)
  const owners: Owners = new Map()
  if (root === undefined || root.kind === 'empty') return { entries: [], ids: [], problems }
  if (root.kind !== 'list') {
    problems.push(about('the file', refuse(root, `write a list in which ${what} begins with "- name:"`)))
    return { entries: [], ids: [], problems }
  }
  const entries = root.items.flatMap(item => {
    const fields = readFields(item, what, keys, problems)
    if (fields === undefined) return []
    const named = readNamed(fields, owners)
    const rest = readRest(fields)
    return named && rest ? [{ style: { ...named, ...rest }, fields }] : []
  })
  return { entries, ids: [...owners.keys()], problems }
}

type Owners = Map<StyleId, { name: string; line: number }>

function readNamed(fields: Fields<string>, owners: Owners): Named | undefined {
  const name = required(fields, 'name', readName)
  const isPinned = fields.entries.has('id')
  const id = isPinned ? optional(fields, 'id', readStyleId) : name && idOfName(name, fields)
  if (!id) return undefined
  const line = lineOf(fields, isPinned ? 'id' : 'name')
  const owner = owners.get(id)
  owners.set(id, owner ?? { name: name ?? id, line })
  if (owner === undefined) return name === undefined ? undefined : { id, name }
  const message = `${quote(name ?? id)} has the id ${quote(id)}, as ${quote(owner.name)} on line ${owner.line} has; rename one of them, or give one an "id" of its own`
  fields.problems.push({ rule: 'id-taken', line, message })
  return undefined
}

function idOfName(name: string, fields: Fields<string>): StyleId | undefined {
  const id = slug(name)
  if (isStyleId(id)) return id
  const why = id === '' ? 'has no letter or digit to make an id of' : 'makes an id of more than 200 characters'
  const message = `the name ${quote(name)} ${why}; give it an "id"`
  fields.problems.push({ rule: 'id-invalid', line: lineOf(fields, 'name'), message })
  return undefined
}
