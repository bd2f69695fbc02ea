import type { Value } from '#formats/markdown/mdx-syntax.ts'
import { readBlocks } from '#formats/markdown/page-blocks.ts'
import type { YamlNode } from '#formats/yaml/parse-yaml.ts'
import { readYaml } from '#intake/yaml/yaml.ts'
import { groupsOf, wordSet } from '#platform/base/text.ts'
import { kindOf } from './components.ts'
import { colorsOf, namesColors } from './elements/color-rows.ts'
import { type ForeignElement, shapeOf } from './elements/element-form.ts'
import { bold } from './elements/element-text.ts'
import { joinPart, type Part, partText } from './elements/parts.ts'
import { maySaySomething, type Prop, propsOf, type Role, roleOf } from './elements/props.ts'
import type { Note, Pass } from './page.ts'

/**
 * Replaces fenced code whose language says that it is a component, such as `color-palette` and `image`, by what
 * this shows; colours in blocks below each other are one table. The code is YAML with the props of the component.
 */
export const componentFences: Pass = text => {
  const parts: Part[] = []
  const notes: Note[] = []
  for (const { kind, start, text: code } of readBlocks(text)) {
    const above = text.slice(text.lastIndexOf('\n', start - 2) + 1, start)
    const [fence = '', mark = '', name = '', isRaw] = kind === 'fenced-code' ? groupsOf(FENCE, above) : []
    const end = text.indexOf(mark, start + code.length) + mark.length
    if (isRaw) {
      // An empty line would end the HTML.
      parts.push({ start: start - fence.length, end, text: code.trim().replace(/\n\s*\n/g, '\n'), rows: [] })
      continue
    }
    const element = elementIn(name, code, start)
    if (element === undefined) continue
    const { became, text: shown, rows, rest } = shapeOf(element, bold)
    const part = { start: start - fence.length, end, text: shown, rows }
    if (!joinPart(text, parts.at(-1), part)) parts.push(part)
    const what = `code block ${name}`
    notes.push({ at: part.start, what, became })
    const others = rest.filter(maySaySomething)
    notes.push(...others.map(({ name, value }) => ({ at: start, what, text: `${name}: ${JSON.stringify(value)}` })))
  }
  // A fence ends a paragraph, and a table only with an empty line.
  return { edits: parts.map(part => ({ ...part, text: `\n${partText(part)}\n` })), notes }
}

/** The component that fenced code is: one with colours, an alert, or one that shows or offers a file; undefined for code. */
function elementIn(name: string, code: string, start: number): ForeignElement | undefined {
  if (name === '' || DATA.has(name)) return undefined
  if (kindOf(name) === 'alert') return { name, props: [], content: code.trim() }
  const { root } = readYaml(code.length < MAX_CODE ? code : '')
  const props = root?.kind === 'mapping' ? propsOf(mapOf(root), { start, source: '' }) : []
  const isComponent = namesColors(name) ? colorsOf(name, props) !== undefined : props.some(isFile)
  // A browser saves the file at the address by its file name, which is no further address.
  return isComponent ? { name, props: props.filter(prop => prop.name !== 'filename'), content: '' } : undefined
}

/** Languages whose code has addresses by name. */
const DATA = wordSet('yaml yml json json5 jsonc toml ini env conf http properties graphql')
const MAX_CODE = 10_000

function isFile(prop: Prop): boolean {
  return FILE_PROPS.has(prop.name) && FILE_ROLES.has(roleOf(prop))
}

const FILE_PROPS = wordSet('src url href')
const FILE_ROLES: ReadonlySet<Role | undefined> = new Set(['picture', 'link'])

/** The line above the code; code in `{raw} html` and `{=html}` is shown as HTML. */
const FENCE = /^(`{3,10}|~{3,10})[ \t]{0,3}(?:([\w-]{1,40})|(\{raw\}[ \t]{1,3}html|\{=html\}))[^`\n]{0,100}\n$/

function valueIn(node: YamlNode): Value {
  if (node.kind === 'list') return node.items.map(valueIn)
  return node.kind === 'mapping' ? mapOf(node) : node.kind === 'text' ? node.text : ''
}

function mapOf({ entries }: YamlNode & { kind: 'mapping' }): { [name: string]: Value } {
  return Object.fromEntries(entries.map(({ key, value }) => [key, valueIn(value)]))
}
