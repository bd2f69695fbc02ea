import { DROPPED_ELEMENTS } from '#brand/markdown/dropped-html.ts'
import {
  type Element,
  isElement,
  type Node,
  parse,
  readModules,
  readValue,
  type Scope,
  type Value,
} from '#formats/markdown/mdx-syntax.ts'
import { errorMessage } from '#platform/base/error.ts'
import { applyEdits, blanks, type Edit, groupsOf, inFormats, withoutQuery, wordSet } from '#platform/base/text.ts'
import { type Kind, kindOf } from './components.ts'
import { shapeOf } from './elements/element-form.ts'
import { htmlOf, INLINE } from './elements/html-element.ts'
import { joinPart, type Part, partText } from './elements/parts.ts'
import { isNamed, maySaySomething, type Prop, propsOf } from './elements/props.ts'
import { onOneLine, writeTable } from './elements/tables.ts'
import { continued, indented, lineBefore, spanOf } from './markup.ts'
import type { Note, PageTask, Pass } from './page.ts'

/** A text in MDX, what its names stand for, and what happened to it. */
type Jsx = {
  text: string
  task: PageTask
  isMdx: boolean
  names: Map<string, Value>
  used: Set<string>
  notes: Note[]
  /** The level of the last heading. */
  level: number
}

/** Writes the elements, expressions, imports and exports of MDX as Markdown. */
export const mdx: Pass = (text, task) => {
  const isJsx = MODULE_LINE.test(text) || (task.facts.isMdx === true && text.includes('={'))
  const isMdx = task.kind === 'mdx' || isJsx
  if (!isMdx && !ELEMENT.test(text)) return { edits: [], notes: [] }
  const page = openPage(text, task, isMdx)
  const edits = pageEdits(page)
  return { edits, notes: page.notes.sort((a, b) => a.at - b.at) }
}

const MODULE_LINE = /^import\s[^\n]*["'][^"'\n]+["'];?[ \t]*$/m
/** Other programs also have tags with capital letters in Markdown, but without an end or a prop in braces. */
const ELEMENT = /<(?=\/|[^<>]*\/>)\/?(?=[A-Z]|[a-z]\w*-)[\w.-]+(?:\s[^<>]*)?\/?>/

function openPage(text: string, task: PageTask, isMdx: boolean): Jsx {
  return { text, task, isMdx, names: new Map(), used: new Set(), notes: [], level: 1 }
}

/** The edits of a whole page. A page that is not MDX loses only its imports and exports. */
function pageEdits(page: Jsx): Edit[] {
  const modules = readModules(page.text, scopeOf(page))
  for (const { values, path } of modules)
    for (const [name, value = importedFile(path)] of values) if (value !== undefined) page.names.set(name, value)
  const edits: Edit[] = modules.map(({ start, end }) => ({ start, end, text: '' }))
  const blank = edits.map(edit => ({ ...edit, text: blanks(page.text.slice(edit.start, edit.end)) }))
  const unread: Note[] = []
  try {
    const { root, refused } = parse(applyEdits(page.text, blank), page.isMdx)
    edits.push(...editsInside(root, page))
    unread.push(...refused.map(at => ({ at, what: 'MDX', became: 'the text as it is' })))
  } catch (error) {
    page.notes.length = 0
    unread.push({ at: 0, what: 'MDX', text: errorMessage(error) })
  }
  if (page.isMdx) page.notes.push(...unread)
  for (const { start, end, values, path } of modules) {
    const text = page.text.slice(start, end).trim()
    const isUsed = path !== '' || LAYOUT.test(text) || values.keys().some(name => page.used.has(name))
    page.notes.push({ at: start, what: text.slice(0, 6), ...(isUsed ? { became: 'what uses it' } : { text }) })
  }
  return edits
}

/** An export of what draws the page. */
const LAYOUT = /^export default [\w.]+;?$/

/** The address of an imported picture or another file that is no program or page; undefined for a module. */
function importedFile(path: string): string | undefined {
  const address = withoutQuery(path.replace('@site/', '/@site/'))
  return /\.\w{2,5}$/.test(address) && !MODULES.test(address) ? address : undefined
}

const MODULES = inFormats('js, jsx, ts, tsx, mjs, json, css, scss, vue, astro, md, mdx')

function scopeOf(page: Jsx): Scope {
  return {
    lookUp: (name, isWhole) => {
      if (isWhole) page.used.add(name)
      return page.names.get(name)
    },
    markdownOf: (start, end) => {
      const part: Jsx = { ...page, text: page.text.slice(start, end), notes: [] }
      const edits = editsInside(parse(part.text, true).root, part)
      for (const row of part.notes) page.notes.push({ ...row, at: row.at + start })
      return applyEdits(part.text, edits).trim()
    },
  }
}

const FLOW = new Set(['root', 'blockquote', 'listItem', 'footnoteDefinition', 'mdxJsxFlowElement'])

/** Edits that replace the elements and expressions inside a node; `isBlock` if it has blocks, also on one line. */
function editsInside(parent: Node, page: Jsx, isBlock = FLOW.has(parent.type)): Edit[] {
  return isBlock ? blocksInside(parent, page).edits : childrenOf(parent).flatMap(node => nodeEdits(node, page))
}

function childrenOf(node: Node): readonly Node[] {
  return 'children' in node ? node.children : []
}

/** Edits of a node that is no block of its own. */
function nodeEdits(node: Node, page: Jsx): Edit[] {
  if (node.type === 'mdxFlowExpression' || node.type === 'mdxTextExpression')
    return [{ ...spanOf(node), text: expressionText(node, page) }]
  if (isForeign(node, page)) return [{ ...spanOf(node), text: partText(partOf(node, page, false)) }]
  return editsInside(node, page)
}

/** The edits of the blocks in a node, and its only part if it has nothing else. */
function blocksInside(parent: Node, page: Jsx): { edits: Edit[]; only: Partial<Part> } {
  const nodes = visibleIn(parent).flatMap(node => (node.type === 'paragraph' && onlyElements(node)) || [node])
  const [parts, others]: [Part[], Edit[][]] = [[], []]
  for (const node of nodes) {
    if (node.type === 'heading') page.level = node.depth
    const part = partOfBlock(node, page)
    if (part === undefined) others.push(nodeEdits(node, page))
    else if (!joinPart(page.text, parts.at(-1), part)) parts.push(part)
  }
  const [only = {}] = others.length + parts.length === 1 ? parts : []
  return { edits: [...others.flat(), ...parts.flatMap(part => blockEdit(page.text, part))], only }
}

/** The parts of a node without white space. */
function visibleIn(node: Node): readonly Node[] {
  return childrenOf(node).filter(each => each.type !== 'text' || each.value.trim() !== '')
}

/** An element, or a picture, which a caption may follow. */
function partOfBlock(node: Node, page: Jsx): Part | undefined {
  if (isForeign(node, page)) return partOf(node, page, true)
  const { start, end } = spanOf(node)
  const isPicture = node.type === 'paragraph' && childrenOf(node).every(({ type }) => type === 'image')
  return isPicture ? { start, end, text: page.text.slice(start, end), rows: [] } : undefined
}

function isForeign(node: Node, page: Jsx): node is Element {
  return isElement(node) && (page.isMdx || !isHtmlName(nameOf(node)))
}

/** Whether a name is one of HTML or of a fragment, but no component, custom element or heading. */
function isHtmlName(name: string): boolean {
  return /^[a-z]*$/.test(name)
}

/** The elements of a paragraph or a line that has nothing else; in MDX they are blocks. */
function onlyElements(node: Node): Element[] | undefined {
  const children = visibleIn(node)
  const elements = children.filter(isElement).filter(({ name }) => !INLINE.has(`${name}`))
  return elements.length === children.length ? elements : undefined
}

/** A block in place of a part of a text, with blank lines around it, in the quotation or list that has it. */
function blockEdit(text: string, part: Part): Edit[] {
  const { start, end } = part
  const block = partText(part)
  if (block === text.slice(start, end)) return []
  const line = lineBefore(text, start)
  const [marks = ''] = groupsOf(MARKS, line)
  const prefix = continued(marks)
  const empty = `\n${prefix.trimEnd()}`
  AFTER.lastIndex = end
  const above = BEFORE.test(text.slice(0, start)) ? '' : `${line === marks ? '' : empty}\n${prefix}`
  const below = AFTER.test(text) ? '' : empty
  const quoted = `${above}${indented(block, prefix)}${below}`
  return [{ start, end, text: block === '' ? '' : quoted }]
}

/** The marks of the quotations and lists that have a line. */
const MARKS = /^[\s>]*(?:\d*[-*+.)]\s+)*/
/** The beginning of a text, after a blank line or after the mark of a list. */
const BEFORE = /(?:^|\n[ \t>]*\n|[-*+.)][ \t])[ \t>]*$/
/** The rest of a line before a blank line, an element, which writes its own blank line, or the end of a text. */
const AFTER = /[ \t]*(?:\n[ \t>]*(?:[\n<]|$)|$)/y

/** The content of an element as Markdown on its own. */
function contentOf(element: Element, page: Jsx, isBlock: boolean): { content: string; only: Partial<Part> } {
  const { start, end } = spanOf(element)
  const open = page.text.indexOf('>', Math.max(start, ...element.attributes.map(each => spanOf(each).end))) + 1
  if (open >= end) return { content: '', only: {} }
  const hasBlocks = isBlock && (element.type === 'mdxJsxFlowElement' || onlyElements(element) !== undefined)
  const { edits, only } = hasBlocks
    ? blocksInside(element, page)
    : { edits: editsInside(element, page, false), only: {} }
  const own = edits.map(edit => ({ ...edit, start: edit.start - open, end: edit.end - open }))
  const text = applyEdits(page.text.slice(open, page.text.lastIndexOf('</', end - 1)), own)
  const [, indent = ''] = groupsOf(/\n([ \t>]*)[^\s>]/, text)
  return { content: text.replace(new RegExp(`\\n[ \\t>]{0,${indent.length}}`, 'g'), '\n').trim(), only }
}

/** The props of an element, also of objects that it spreads. */
function readProps(element: Element, page: Jsx): Prop[] {
  return element.attributes.flatMap((attribute): Prop[] => {
    const { start, end } = spanOf(attribute)
    const source = page.text.slice(start, end)
    const programValue = () => {
      const from = start + groupsOf(BEFORE_VALUE, source).join('').length
      return readValue(page.text.slice(0, end - 1), from, end - 1, scopeOf(page))
    }
    if (attribute.type !== 'mdxJsxAttribute') {
      const value = programValue()
      return isNamed(value) ? propsOf(value, { start, source }) : [{ name: '...', value, start, source }]
    }
    const [written = ''] = source.split('=', 1)
    const text = attribute.value ?? true
    const isProgram = typeof text === 'object' || BINDINGS.has(written.slice(0, written.indexOf(':') + 1))
    return [{ name: propName(written), value: isProgram ? programValue() : text, start, source }]
  })
}

/** The signs of a prop before its value. */
const BEFORE_VALUE = /^[^"'{]*["'{](?:\s*\.{3})?/
/** The beginnings of props whose values are programs. */
const BINDINGS = wordSet(': v-bind:')

/** The name of a prop as JavaScript writes it: `isDark` for `:is-dark`. */
function propName(written: string): string {
  const name = written.slice(written.lastIndexOf(':') + 1)
  return name.replace(/(?<!^aria|^data)-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** A table made of elements, each in one column and row; undefined for others, which are HTML. */
function tableText(element: Element, page: Jsx): string | undefined {
  const cells = elementsIn(element, ROWS).map(row => elementsIn(row, CELLS))
  const isSpan = ({ name }: Prop) => SPANS.has(name.toLowerCase())
  if (cells.flat().some(cell => readProps(cell, page).some(isSpan))) return undefined
  const rows = cells.map(row => row.map(cell => contentOf(cell, page, true).content))
  const columns = rows.map(row => row.length)
  return columns[0] && Math.max(...columns) === columns[0] ? writeTable(rows) : undefined
}

const SPANS = wordSet('colspan rowspan')
const ROWS: ReadonlySet<Kind | undefined> = new Set(['tr'])
const CELLS: ReadonlySet<Kind | undefined> = new Set(['td', 'th'])

/** The elements of some kinds in a node, but not those in each other. */
function elementsIn(node: Node, kinds: ReadonlySet<Kind | undefined>): Element[] {
  return childrenOf(node).flatMap(child =>
    isElement(child) && kinds.has(kindOf(`${child.name}`)) ? [child] : elementsIn(child, kinds),
  )
}

/** Notes what became of an element, and loses those of its props that say something else. */
function note(element: Element, page: Jsx, became: string, rest: readonly Prop[] = []): void {
  const what = `<${nameOf(element)}>`
  if (!isHtmlName(nameOf(element)) && !HEADINGS.includes(nameOf(element)))
    page.notes.push({ at: spanOf(element).start, what, became })
  const left = rest.filter(prop => maySaySomething(prop) && prop.source !== '')
  const text = [...new Set(left.map(({ source }) => source))].join(' ')
  if (left[0]) page.notes.push({ at: left[0].start, what, text })
}

/** The name of an element; a fragment has none. */
function nameOf({ name }: Element): string {
  return name ?? ''
}

function lose(node: Node, page: Jsx, what = isElement(node) ? `<${nameOf(node)}>` : ''): string {
  const { start, end } = spanOf(node)
  page.notes.push({ at: start, what, text: page.text.slice(start, end) })
  return ''
}

function expressionText(node: Node & { value: string }, page: Jsx): string {
  const { start, end } = spanOf(node)
  const value = readValue(page.text, start + 1, end - 1, scopeOf(page))
  if (typeof value === 'string') {
    if (value.trim() !== '') page.notes.push({ at: start, what: 'expression', became: 'its text' })
    return value
  }
  return lose(node, page, node.value.trim().startsWith('/') ? 'comment' : 'expression')
}

const DROPPED = new Set(['Meta', ...DROPPED_ELEMENTS])

/** What an element becomes, as a block or in a sentence. */
function partOf(element: Element, page: Jsx, isBlock: boolean): Part {
  const name = nameOf(element)
  const part: Part = { ...spanOf(element), text: '', rows: [] }
  if (DROPPED.has(name)) return { ...part, text: lose(element, page) }
  const table = isBlock && kindOf(name) === 'table' ? tableText(element, page) : undefined
  if (table !== undefined) {
    note(element, page, 'a table')
    return { ...part, text: table }
  }
  const level = HEADINGS.indexOf(name) + 1
  if (isBlock && level > 0)
    return { ...part, text: `${'#'.repeat(level)} ${onOneLine(contentOf(element, page, false).content)}` }
  const { content, only } = contentOf(element, page, isBlock)
  const props = readProps(element, page)
  const html = htmlOf(name, props, content, isBlock)
  if (html) {
    note(element, page, 'HTML', html.rest)
    return { ...part, text: html.html }
  }
  const drawing = [page.names.get(name) ?? []].flat().map(value => ({ name: 'src', value, start: 0, source: '' }))
  const heading = (title: string) => `${'#'.repeat(Math.min(page.level + 1, 6))} ${title}`
  const own = { name, props: [...props, ...drawing], content }
  const shape = shapeOf(own, isBlock ? heading : undefined)
  const isNothing = shape.text === '' && shape.rows.length === 0 && element.children.length === 0
  if (isNothing && (!isHtmlName(name) || shape.rest.some(maySaySomething)))
    return { ...part, text: lose(element, page) }
  note(element, page, shape.became, shape.rest)
  const isOnly = shape.text === content && !shape.isFramed
  return { ...part, ...shape, ...(isOnly ? only : {}), ...spanOf(element) }
}

const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
