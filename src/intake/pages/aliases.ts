import type { PageId } from '../../brand/ids.ts'
import { HOME_PAGE } from '../../brand/page.ts'
import type { Fields } from '../yaml/fields.ts'
import { readPageId } from '../yaml/ids.ts'
import { invalid, refuse, withSubject } from '../yaml/reader.ts'
import type { YamlNode } from '../yaml/yaml.ts'

/** A former id of a page, and its line. */
export type Alias = { id: PageId; line: number }

/**
 * Reads the aliases in front matter: one id, or a list of ids. Accepts leading and trailing slashes and `.md`. Other
 * tools allow other forms, so an invalid id is skipped with a warning.
 */
export function readAliases({ entries, problems }: Fields<string>): Alias[] | undefined {
  const node = entries.get('aliases')?.value
  if (node === undefined || node.kind === 'empty') return undefined
  const items = node.kind === 'list' ? node.items : [node]
  if (node.kind === 'mapping' || items.length > MAX_ALIASES) {
    const form = `write a list of at most ${MAX_ALIASES} former ids of the page, as in [archive/2019/cover]`
    problems.push(withSubject('"aliases"', refuse(node, form)))
    return undefined
  }
  const aliases = new Map<PageId, Alias>()
  for (const item of items) {
    const id = readPageId(trimAlias(item))
    if (!id.ok) problems.push({ ...withSubject('an entry of "aliases"', id), rule: 'front-matter-value-unknown' })
    else if (id.value === HOME_PAGE) problems.push(withSubject('an entry of "aliases"', invalid(item, HOME)))
    else if (!aliases.has(id.value)) aliases.set(id.value, { id: id.value, line: item.line })
  }
  return aliases.size === 0 ? undefined : [...aliases.values()]
}

const MAX_ALIASES = 100
const HOME = `is "${HOME_PAGE}", the home page of the guide; remove it`

function trimAlias(node: YamlNode): YamlNode {
  if (node.kind !== 'text') return node
  return { ...node, text: node.text.replace(/^\//, '').replace(/\/$|(?:\/index)?\.md$/, '') }
}
