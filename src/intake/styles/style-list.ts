import type { Problem, StyleList } from '#brand/finding.ts'
import { isStyleId, type StyleId, slug } from '#brand/ids.ts'
import type { YamlNode } from '#formats/yaml/parse-yaml.ts'
import { quote } from '#platform/base/text.ts'
import { dashProblem } from '../yaml/dashes.ts'
import { type Fields, intendedEntry, lineOf, readFields, readOptional, readRequired } from '../yaml/fields.ts'
import { refuse, textOf, withSubject } from '../yaml/reader.ts'
import { readName, readStyleId } from '../yaml/scalars.ts'
import { readYaml, takenId } from '../yaml/yaml.ts'

/** The fields of every style. */
type Named = { id: StyleId; name: string }

/** The valid styles of a list, and all problems. */
type ReadList<Key extends string, Rest> = {
  entries: { style: Named & Rest; fields: Fields<Key> }[]
  problems: Problem[]
}

/**
 * Reads a list of styles. Each is a mapping with a name and a unique id; `readRest` reads its other fields. Skips a
 * style with an error and reads the others. Its problems record what they break.
 *
 * @param list the path of the list
 * @param what the name of a style in messages: `a colour`
 */
export function readStyleList<Key extends string, Rest>(
  text: string,
  list: StyleList,
  what: string,
  keys: readonly Key[],
  readRest: (fields: Fields<Key>) => Rest | undefined,
): ReadList<Key, Rest> {
  const { items, problems } = readItems(text, list, keys)
  const owners: Owners = new Map()
  const entries = items.flatMap(item => {
    const inEntry: Problem[] = []
    const fields = readFields(item, what, keys, inEntry)
    const named = readNamed(fields, list, owners)
    const rest = readRest(fields)
    if (named && rest) {
      problems.push(...inEntry)
      return [{ style: { ...named, ...rest }, fields }]
    }
    // Without `ids`, the problem may be the reason why any style is missing.
    const ids = idsMeant(fields)
    const breaks = { paths: [list], ...(ids && { ids }) }
    problems.push(...inEntry.map(problem => ({ ...problem, breaks })))
    return []
  })
  return { entries, problems }
}

/** The entries of a list. Its own problems break all of its styles, unless they name the styles. */
function readItems(
  text: string,
  list: StyleList,
  keys: readonly string[],
): { items: readonly YamlNode[]; problems: Problem[] } {
  const { root, problems } = readYaml(text)
  const breaking = (problem: Problem) => ({ ...problem, breaks: { paths: [list] } })
  const isList = root?.kind === 'list' && !problems.some(({ rule }) => rule === 'yaml-duplicate-key')
  // A missing dash explains the other problems.
  const dash = isList ? undefined : dashProblem(text, keys)
  if (dash) return { items: [], problems: [breaking(dash)] }
  if (root === undefined) return { items: [], problems: problems.map(breaking) }
  if (root.kind === 'empty') return { items: [], problems }
  if (root.kind !== 'list') {
    const problem = withSubject('the file', refuse(root, `write a list of entries that begin with "- name:"`))
    return { items: [], problems: [...problems, breaking(problem)] }
  }
  // `readYaml` knows the ids that a problem breaks, but not the path.
  for (const { breaks } of problems) if (breaks) breaks.paths = [list]
  return { items: root.items, problems }
}

/** The names that refer to a style with an error: its id, its name and its group. Undefined if its id is unknown. */
function idsMeant(fields: Fields<string>): string[] | undefined {
  const names = ['id', 'name', 'group'].map(key => slug(textOf(intendedEntry(fields, key)?.value)))
  const isUnknown = names.slice(0, 2).join('') === ''
  return isUnknown ? undefined : names.filter(name => name !== '')
}

/** The first style with each id. */
type Owners = Map<StyleId, { name: string; line: number }>

/** Reads the name and the id, which is made from the name unless it is written. Undefined, with problems, if one is wrong. */
function readNamed(fields: Fields<string>, list: StyleList, owners: Owners): Named | undefined {
  const name = readRequired(fields, 'name', readName)
  const isPinned = fields.entries.has('id')
  const id = isPinned ? readOptional(fields, 'id', readStyleId) : name && idOfName(name, fields)
  if (!id) return undefined
  const line = lineOf(fields, isPinned ? 'id' : 'name')
  const owner = owners.get(id)
  owners.set(id, owner ?? { name: name ?? id, line })
  if (owner === undefined) return name === undefined ? undefined : { id, name }
  const message = `${quote(name ?? id)} has the same id ${quote(id)} as ${quote(owner.name)} on line ${owner.line}; rename one of them, or give one a different "id"`
  fields.problems.push({ rule: 'id-taken', line, message, missing: { path: list, id: takenId(id) } })
  return undefined
}

function idOfName(name: string, fields: Fields<string>): StyleId | undefined {
  const id = slug(name)
  if (isStyleId(id)) return id
  const why = id === '' ? 'has no letter or digit to make an id from' : 'makes an id longer than 200 characters'
  const message = `the name ${quote(name)} ${why}; give it an "id"`
  fields.problems.push({ rule: 'id-invalid', line: lineOf(fields, 'name'), message })
  return undefined
}
