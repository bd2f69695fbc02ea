import type { Value } from '#formats/markdown/mdx-syntax.ts'
import { readBlocks } from '#formats/markdown/page-blocks.ts'
import type { YamlNode } from '#formats/yaml/parse-yaml.ts'
import { readYaml } from '#intake/yaml/yaml.ts'
import { groupsOf } from '#platform/base/text.ts'
import { colorsOf, namesColors } from './elements/color-rows.ts'
import { joinPart, type Part, partText } from './elements/parts.ts'
import { maySaySomething, propsOf } from './elements/props.ts'
import type { Note, Pass } from './page.ts'

/**
 * Replaces fenced code whose language says that it is a component with colours, such as `color` or `color-palette` of
 * Catalog, by a table; blocks below each other are one. The code is YAML with the props of the component.
 */
export const colorFences: Pass = text => {
  const parts: Part[] = []
  const notes: Note[] = []
  for (const { kind, start, text: code } of readBlocks(text)) {
    const above = text.slice(text.lastIndexOf('\n', start - 2) + 1, start)
    const [fence = '', mark = '', name = ''] = kind === 'fenced-code' ? groupsOf(FENCE, above) : []
    const { root } = readYaml(namesColors(name) ? code : '')
    const props = root?.kind === 'mapping' ? propsOf(mapOf(root), { start, source: '' }) : []
    const found = colorsOf(name, props)
    if (found === undefined) continue
    const end = text.indexOf(mark, start + code.length) + mark.length
    const part = { start: start - fence.length, end, text: '', rows: found.rows }
    if (!joinPart(text, parts.at(-1), part)) parts.push(part)
    const what = `code block ${name}`
    notes.push({ at: part.start, what, became: found.became })
    const others = found.rest.filter(maySaySomething)
    notes.push(...others.map(({ name, value }) => ({ at: start, what, text: `${name}: ${JSON.stringify(value)}` })))
  }
  // A fence ends a paragraph, and a table only with an empty line.
  return { edits: parts.map(part => ({ ...part, text: `\n${partText(part)}\n` })), notes }
}

/** The line above the code. */
const FENCE = /^(`{3,10}|~{3,10})[ \t]{0,3}([\w-]{1,40})[^`\n]{0,100}\n$/

function valueIn(node: YamlNode): Value {
  if (node.kind === 'list') return node.items.map(valueIn)
  return node.kind === 'mapping' ? mapOf(node) : node.kind === 'text' ? node.text : ''
}

function mapOf({ entries }: YamlNode & { kind: 'mapping' }): { [name: string]: Value } {
  return Object.fromEntries(entries.map(({ key, value }) => [key, valueIn(value)]))
}
