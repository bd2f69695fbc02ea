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
import { applyEdits, type Edit, groupsOf } from '#platform/base/text.ts'
import { kindOf } from './components.ts'
import { namesColors } from './elements/color-rows.ts'
import { formOf } from './elements/element-form.ts'
import { blocksOf, readSaid, takeContent } from './elements/element-text.ts'
import { htmlOf, INLINE } from './elements/html-element.ts'
import { joinPart, type Part, partText } from './elements/parts.ts'
import { maySaySomething, type Prop, propsOf, roleOf } from './elements/props.ts'
import { onOneLine, writeTable } from './elements/tables.ts'
import { spanOf } from './markup.ts'
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
  const isJsx = MODULE_LINE.test(text) || (task.facts.isMdx === true && /=\{/.test(text))
  const isMdx = task.kind === 'mdx' || (task.kind === 'md' && isJsx)
  if (!isMdx && !(task.kind === 'md' && ELEMENT.test(text))) return { edits: [], notes: [] }
  const page = openPage(text, task, isMdx)
  const edits = pageEdits(page)
  return { edits, notes: page.notes.sort((a, b) => a.at - b.at) }
}

const MODULE_LINE = /^import\s[^\n]*["'][^"'\n]+["'];?[ \t]*$/m
/** Other programs also have tags with capital letters in Markdown, but without an end or a prop in braces. */
const ELEMENT = /<(?:[A-Z][\w.]*|[a-z]\w*-[\w-]*)(?:\s[^<>]*)?\/>|<\/(?:[A-Z][\w.]*|[a-z]\w*-[\w-]*)>/

function openPage(text: string, task: PageTask, isMdx: boolean): Jsx {
  return { text, task, isMdx, names: new Map(), used: new Set(), notes: [], level: 1 }
}

/** The edits of a whole page. A page that is not MDX loses only its imports and exports. */
function pageEdits(page: Jsx): Edit[] {
  const edits: Edit[] = []
  const modules = readModules(page.text, scopeOf(page))
  for (const { start, end, values, path } of modules) {
    for (const [name, value] of values) {
      if (path !== undefined) addImport(page, name, path)
      if (value !== undefined) page.names.set(name, value)
    }
    edits.push({ start, end, text: '' })
  }
  const blank = edits.map(edit => ({ ...edit, text: page.text.slice(edit.start, edit.end).replace(/[^\n]/g, ' ') }))
  try {
    const { root, refused } = parse(applyEdits(page.text, blank), page.isMdx)
    edits.push(...editsInside(root, page))
    if (page.isMdx) page.notes.push(...refused.map(at => ({ at, what: 'MDX', became: 'the text as it is' })))
  } catch (error) {
    page.notes.length = 0
    if (page.isMdx) page.notes.push({ at: 0, what: 'MDX', text: errorMessage(error) })
  }
  for (const { start, end, values, path } of modules) {
    const text = page.text.slice(start, end).trim()
    const isEmpty = path !== undefined || /^export default [\w.]+;?$/.test(text)
    const became = isEmpty ? 'nothing' : 'what uses it'
    const isUsed = isEmpty || values.keys().some(name => page.used.has(name))
    page.notes.push({ at: start, what: text.slice(0, 6), ...(isUsed ? { became } : { text }) })
  }
  return edits
}

/** A picture or another file, the address of which a name stands for. */
function addImport(page: Jsx, name: string, path: string): void {
  const address = path.replace(/^@site\//, '/@site/').replace(/\?.*$/s, '')
  if (/\.(?!(?:[jt]sx?|mjs|json|css|scss|vue|astro|mdx?)$)\w{2,5}$/i.test(address)) page.names.set(name, address)
}

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
  if (isBlock) return blocksInside(parent, page).edits
  return 'children' in parent ? parent.children.flatMap((node: Node) => nodeEdits(node, page)) : []
}

/** Edits of a node that is no block of its own. */
function nodeEdits(node: Node, page: Jsx): Edit[] {
  if (node.type === 'mdxFlowExpression' || node.type === 'mdxTextExpression')
    return [{ ...spanOf(node), text: expressionText(node, page) }]
  if (isForeign(node, page)) return [{ ...spanOf(node), text: partText(partOf(node, page, false)) }]
  return editsInside(node, page)
}

/** The edits of the blocks in a node, and what it has if that is all one part. */
function blocksInside(parent: Node, page: Jsx): { edits: Edit[]; only?: Part | undefined } {
  if (!('children' in parent)) return { edits: [] }
  const nodes: Node[] =
    onlyElements(parent) ??
    parent.children.flatMap((node: Node) => (node.type === 'paragraph' && onlyElements(node)) || [node])
  const edits: Edit[] = []
  const parts: Part[] = []
  let [open, isOnly]: [Part | undefined, boolean] = [undefined, true]
  for (const node of [...nodes, undefined]) {
    if (node?.type === 'heading') page.level = node.depth
    const part = node && partOfBlock(node, page)
    if (part && open && joinPart(open, part)) continue
    const text = open && partText(open)
    if (open && text !== undefined && text !== page.text.slice(open.start, open.end))
      edits.push(blockEdit(page.text, open, text, edits.at(-1)?.end))
    open = part
    if (part) parts.push(part)
    else if (node) edits.push(...nodeEdits(node, page))
    isOnly &&= part !== undefined || node === undefined
  }
  return { edits, only: isOnly && parts.length === 1 ? parts[0] : undefined }
}

/** An element, or a picture, which a caption may follow. */
function partOfBlock(node: Node, page: Jsx): Part | undefined {
  if (isForeign(node, page)) return partOf(node, page, true)
  const isPicture = node.type === 'paragraph' && node.children.length === 1 && node.children[0]?.type === 'image'
  const { start, end } = spanOf(node)
  return isPicture ? { start, end, text: page.text.slice(start, end), rows: [] } : undefined
}

function isForeign(node: Node, page: Jsx): node is Element {
  return isElement(node) && (page.isMdx || !/^[a-z]+$/.test(node.name ?? ''))
}

/** The elements of a paragraph or a line that has nothing else; in MDX they are blocks. */
function onlyElements(node: Node): Element[] | undefined {
  if (node.type !== 'paragraph' && node.type !== 'mdxJsxTextElement') return undefined
  const children: Node[] = node.children.filter(each => each.type !== 'text' || each.value.trim() !== '')
  const elements = children.filter(isElement)
  return elements.length === children.length && elements.every(({ name }) => !INLINE.has(name ?? ''))
    ? elements
    : undefined
}

/**
 * A block in place of a part of a text, with blank lines around it, in the quotation or list that has it. An edit that ends
 * at `editedTo`, directly before it, has already written the blank line.
 */
function blockEdit(text: string, { start, end }: Edit, block: string, editedTo = Number.POSITIVE_INFINITY): Edit {
  const followsEdit = editedTo <= start && text.slice(editedTo, start).trim() === ''
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start)
  const indent = groupsOf(/^[\s>]*(?:(?:[-*+]|\d+[.)])\s+)*/, line)[0] ?? ''
  const prefix = indent.replace(/[^\s>]/g, ' ')
  const isApart =
    followsEdit || (line === indent && (prefix !== indent || BLANK_BEFORE.test(text.slice(0, start - line.length))))
  BLANK_AFTER.lastIndex = end
  BLANK_AFTER.exec(text)
  const after = Math.max(BLANK_AFTER.lastIndex, end)
  const lines = block === '' ? '' : `${isApart ? '' : '\n\n'}${block}\n\n`
  const quoted = lines.replace(/\n(?!$)/g, (_, at) => `\n${lines[at + 1] === '\n' ? prefix.trimEnd() : prefix}`)
  const isEnd = after === text.length
  return {
    start,
    end: after,
    text: isEnd
      ? quoted.replace(/\n(?<!\n[\s>]*?\n)[\s>]*$/, '\n')
      : text[after - 1] === '\n'
        ? quoted
        : quoted + prefix,
  }
}

const BLANK_BEFORE = /(?:^|\n[ \t>]*\n)$/
/** The rest of a line, and blank lines after it. */
const BLANK_AFTER = /[ \t]*(?:\n(?:[ \t>]*\n)*)?/y

/** The content of an element as Markdown on its own. */
function contentOf(element: Element, page: Jsx, isBlock: boolean): { content: string; only?: Part | undefined } {
  const { start, end } = spanOf(element)
  const last = element.attributes.at(-1)
  const open = page.text.indexOf('>', last ? spanOf(last).end : start) + 1
  if (open >= end) return { content: '' }
  const hasBlocks = isBlock && (element.type === 'mdxJsxFlowElement' || onlyElements(element) !== undefined)
  const { edits, only } = hasBlocks ? blocksInside(element, page) : { edits: editsInside(element, page, false) }
  const own = edits.map(edit => ({ ...edit, start: edit.start - open, end: edit.end - open }))
  const text = applyEdits(page.text.slice(open, page.text.lastIndexOf('</', end - 1)), own)
  const indent = /\n([ \t>]*)[^\s>]/.exec(text)?.[1]?.length ?? 0
  const content = text
    .replace(new RegExp(`\\n[ \\t>]{0,${indent}}`, 'g'), '\n')
    .trimEnd()
    .replace(/^(?:[ \t]*\n)*[ \t]*/, '')
  return { content, only }
}

/** The props of an element. */
function readProps(element: Element, page: Jsx): Prop[] {
  return element.attributes.flatMap((attribute): Prop[] => {
    const { start, end } = spanOf(attribute)
    const source = page.text.slice(start, end)
    if (attribute.type !== 'mdxJsxAttribute') {
      const spread = readValue(page.text, start + source.indexOf('...') + 3, end - 1, scopeOf(page))
      if (typeof spread === 'object' && !Array.isArray(spread)) return propsOf(spread, { start, source })
      return [{ name: '...', value: spread, start, source }]
    }
    const { value } = attribute
    const name = /^[@#]/.test(source) ? 'onEvent' : propName(attribute.name)
    if (value && /^(?::|v-bind:)/.test(source)) {
      const from = start + source.search(/["']/) + 1
      return [{ name, value: readValue(page.text.slice(0, end - 1), from, end - 1, scopeOf(page)), start, source }]
    }
    if (!value || typeof value === 'string') return [{ name, value: value ?? true, start, source }]
    return [
      { name, value: readValue(page.text, start + source.indexOf('{') + 1, end - 1, scopeOf(page)), start, source },
    ]
  })
}

/** The name of a prop as JavaScript writes it: `isDark` for `:is-dark` of Vue, whose sign is hidden from the parser. */
function propName(name: string): string {
  const plain = name.replace(/^(?:_|v-bind:)/, '')
  return /^(?:aria|data)-/.test(plain) ? plain : plain.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** A table made of elements with only text in its cells. */
function tableText(element: Element, page: Jsx): string | undefined {
  const rows: string[][] = []
  const read = (node: Node): boolean => {
    if (!isElement(node)) return !('children' in node) || node.children.every((child: Node) => read(child))
    const kind = kindOf(node.name ?? '')
    if (kind === 'tr') rows.push([])
    if (kind !== 'td' && kind !== 'th') return node.children.every((child: Node) => read(child))
    rows.at(-1)?.push(contentOf(node, page, true).content)
    return rows.length > 0 && !readProps(node, page).some(({ name }) => /^(?:col|row)span$/i.test(name))
  }
  if (!read(element)) return undefined
  const [header] = rows
  const isPlain = header && rows.every(row => row.length <= header.length)
  return isPlain && header.length > 0 ? writeTable(rows) : undefined
}

/** Notes what became of an element, and loses those of its props that say something else. */
function note(element: Element, page: Jsx, became: string, rest: readonly Prop[] = []): void {
  const what = `<${element.name ?? ''}>`
  if (/^[A-Z]/.test(element.name ?? '')) page.notes.push({ at: spanOf(element).start, what, became })
  const left = rest.filter(prop => maySaySomething(prop) && prop.source !== '')
  const text = [...new Set(left.map(({ source }) => source))].join(' ')
  if (left[0]) page.notes.push({ at: left[0].start, what, text })
}

function lose(node: Node, page: Jsx, what = isElement(node) ? `<${node.name ?? ''}>` : ''): string {
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
  return node.value.trim() === '' ? '' : lose(node, page, /^\s*\/[*/]/.test(node.value) ? 'comment' : 'expression')
}

const DROPPED = new Set(['Meta', ...DROPPED_ELEMENTS])

/** What an element becomes, as a block or in a sentence: its form, the texts of its props, and its content. */
function partOf(element: Element, page: Jsx, isBlock: boolean): Part {
  const name = element.name ?? ''
  const part: Part = { ...spanOf(element), text: '', rows: [] }
  if (DROPPED.has(name)) return { ...part, text: lose(element, page) }
  const table = isBlock && kindOf(name) === 'table' ? tableText(element, page) : undefined
  if (table !== undefined) {
    note(element, page, 'a table')
    return { ...part, text: table }
  }
  const props = readProps(element, page)
  const drawing = page.names.get(name)
  if (typeof drawing === 'string' && name !== '') props.push({ name: 'src', value: drawing, start: 0, source: '' })
  const [, level] = (isBlock && /^h([1-6])$/.exec(name)) || []
  const { content, only } = contentOf(element, page, isBlock && level === undefined)
  if (level) return { ...part, text: `${'#'.repeat(Number(level))} ${onOneLine(content)}` }
  const html = htmlOf(name, props, content)
  if (html) {
    note(element, page, 'HTML', html.rest)
    return { ...part, text: html.html }
  }
  const isSaying = props.some(prop => roleOf(prop) !== undefined || maySaySomething(prop))
  // The form takes its props first, and the texts of the others come before the content.
  const left = takeContent(props, content, namesColors(name))
  const form = isBlock ? formOf(name, props, page.text) : undefined
  const said = readSaid(form?.rest ?? props)
  const mark = isBlock && left !== '' && form === undefined ? '#'.repeat(Math.min(page.level + 1, 6)) : ''
  const own = blocksOf(said, title => (mark === '' ? `**${title}**` : `${mark} ${title}`))
  const blocks = [...own, left].filter(block => block !== '')
  const isNothing = blocks.length === 0 && form === undefined && element.children.length === 0
  if (isNothing && (isSaying || /^[A-Z]/.test(name))) return { ...part, text: lose(element, page) }
  note(element, page, form?.became ?? (own.length > 0 ? 'Markdown' : 'its content'), said.rest)
  if (!isBlock) return { ...part, text: blocks.map(block => block.replace(/^\*\*(.*)\*\*$/, '$1')).join(' ') }
  if (only && own.length === 0 && form === undefined) return { ...only, ...spanOf(element) }
  const text = blocks.join('\n\n')
  const caption = /caption$/i.test(name) && !/\n[ \t]*\n/.test(text) ? onOneLine(text) : ''
  return { ...part, ...(form?.shape(text) ?? { text }), ...(caption && { caption }) }
}
