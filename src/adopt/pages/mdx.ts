import { applyEdits, type Edit } from '#base/text.ts'
import { DROPPED_ELEMENTS } from '#brand/markdown/dropped-html.ts'
import { splitFrontMatter } from '#intake/pages/front-matter.ts'
import { noNotes } from '../report/report.ts'
import { pathOf } from './includes.ts'
import {
  alertOf,
  blocksOf,
  colorsOf,
  colorTable,
  contentRole,
  destination,
  htmlOf,
  isInline,
  isLayout,
  type Prop,
  pairOf,
  takeText,
  verdictOf,
  verdicts,
} from './jsx-forms.ts'
import {
  type Element,
  failureOf,
  isElement,
  type Node,
  parse,
  readExpression,
  readModules,
  type Scope,
  spanOf,
  type Value,
} from './mdx-syntax.ts'
import type { PageTask, Pass } from './page.ts'

type Row = { at: number; what: string; became: string } | { at: number; what: string; text: string }

/** A text in MDX, what its names stand for, and what happened to it. */
type Jsx = {
  text: string
  task: PageTask
  isMdx: boolean
  names: Map<string, Value>
  used: Set<string>
  partials: Map<string, string>
  rows: Row[]
  /** The level of the last heading. */
  level: number
}

/** Writes the elements, expressions, imports and exports of MDX as Markdown. */
export const mdx: Pass = (text, { task, lineOf }) => {
  const notes = noNotes()
  const isMdx = task.kind === 'mdx' || (task.kind === 'md' && MODULE_LINE.test(text))
  if (!isMdx && !(task.kind === 'md' && ELEMENT.test(text))) return { edits: [], notes }
  const page = openPage(text, task, isMdx)
  const edits = pageEdits(page)
  for (const row of page.rows.sort((a, b) => a.at - b.at)) {
    const place = { path: task.shownPath, line: lineOf(row.at), what: row.what }
    if ('became' in row) notes.converted.push({ ...place, became: row.became })
    else notes.lost.push({ ...place, text: row.text })
  }
  return { edits, notes }
}

const MODULE_LINE = /^import\s[^\n]*["'][^"'\n]+["'];?[ \t]*$/m
/** Other programs also have tags with capital letters in Markdown, but without an end or a prop in braces. */
const ELEMENT = /<[A-Z][\w.]*(?:\s[^<>]*)?\/>|<\/[A-Z][\w.]*>/

function openPage(text: string, task: PageTask, isMdx: boolean): Jsx {
  return { text, task, isMdx, names: new Map(), used: new Set(), partials: new Map(), rows: [], level: 1 }
}

/** The edits of a whole page. A page that is not MDX loses only its imports and exports. */
function pageEdits(page: Jsx): Edit[] {
  const edits: Edit[] = []
  const modules = readModules(page.text, scopeOf(page))
  for (const { start, end, name = '', path, value } of modules) {
    if (path !== undefined) addImport(page, name, path)
    if (value !== undefined) page.names.set(name, value)
    edits.push({ start, end, text: '' })
  }
  const blank = edits.map(edit => ({ ...edit, text: page.text.slice(edit.start, edit.end).replace(/[^\n]/g, ' ') }))
  try {
    edits.push(...editsInside(parse(applyEdits(page.text, blank), page.isMdx), page))
  } catch (error) {
    page.rows.length = 0
    if (page.isMdx) page.rows.push({ what: 'MDX', ...failureOf(error, page.text) })
  }
  for (const { start, end, name = '', path } of modules) {
    if (path !== undefined) page.rows.push({ at: start, what: 'import', became: 'nothing' })
    else {
      const text = page.text.slice(start, end).trim()
      const isEmpty = /^export default [\w.]+;?$/.test(text)
      const became = isEmpty ? 'nothing' : 'what uses it'
      page.rows.push({ at: start, what: 'export', ...(isEmpty || page.used.has(name) ? { became } : { text }) })
    }
  }
  return edits
}

/** A picture, another file or a page with the text of which an element of its name is replaced. */
function addImport(page: Jsx, name: string | undefined, path: string): void {
  const address = path.replace(/^@site\//, '/@site/').replace(/\?.*$/, '')
  if (name === undefined) return
  if (/\.mdx?$/i.test(address)) page.partials.set(name, address.replace(/^\/@site\//, ''))
  else if (/\.(?!(?:[jt]sx?|mjs|json|css|scss|vue|astro)$)\w{2,5}$/i.test(address)) page.names.set(name, address)
}

function scopeOf(page: Jsx): Scope {
  return {
    lookUp: name => {
      page.used.add(name)
      return page.names.get(name)
    },
    markdownOf: (start, end) => {
      const part: Jsx = { ...page, text: page.text.slice(start, end), rows: [] }
      const edits = editsInside(parse(part.text, true), part)
      for (const row of part.rows) page.rows.push({ ...row, at: row.at + start })
      return applyEdits(part.text, edits).trim()
    },
  }
}

const FLOW = new Set(['root', 'blockquote', 'listItem', 'footnoteDefinition', 'mdxJsxFlowElement'])

/** Edits that replace the elements and expressions inside a node; `isBlock` if it has blocks, also on one line. */
function editsInside(parent: Node, page: Jsx, isBlock = FLOW.has(parent.type)): Edit[] {
  if (!('children' in parent)) return []
  const nodes: Node[] = isBlock
    ? (onlyElements(parent) ??
      parent.children.flatMap((node: Node) => (node.type === 'paragraph' && onlyElements(node)) || [node]))
    : parent.children
  const edits: Edit[] = []
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at]
    if (node === undefined) continue
    if (node.type === 'heading') page.level = node.depth
    if (node.type === 'mdxFlowExpression' || node.type === 'mdxTextExpression') {
      edits.push({ ...spanOf(node), text: expressionText(node, page) })
    } else if (!isElement(node) || (!page.isMdx && /^[a-z]/.test(node.name ?? '')))
      edits.push(...editsInside(node, page))
    else if (!isBlock) edits.push({ ...spanOf(node), text: inlineText(node, page) })
    else {
      const run = nodes.slice(at, at + MAX_RUN)
      const others = run.findIndex(each => !isElement(each))
      const { text, count = 1 } = blockText(run.slice(0, others === -1 ? MAX_RUN : others).filter(isElement), page)
      at += count - 1
      const { start } = spanOf(node)
      const before = edits.at(-1)?.end ?? 0
      const isFirst = edits.length > 0 && before <= start && page.text.slice(before, start).trim() === ''
      edits.push(blockEdit(page.text, start, spanOf(nodes[at] ?? node).end, { block: text, isFirst }))
    }
  }
  return edits
}

/** The elements of one form in a row that are taken together. */
const MAX_RUN = 100

/** The elements of a paragraph or a line that has nothing else; in MDX they are blocks. */
function onlyElements(node: Node): Element[] | undefined {
  if (node.type !== 'paragraph' && node.type !== 'mdxJsxTextElement') return undefined
  const children: Node[] = node.children.filter(each => each.type !== 'text' || each.value.trim() !== '')
  const elements = children.filter(isElement)
  return elements.length === children.length && elements.every(({ name }) => !isInline(name ?? ''))
    ? elements
    : undefined
}

/** A block in place of a part of a text, with blank lines around it, in the quotation or list that has it. */
function blockEdit(
  text: string,
  start: number,
  end: number,
  { block, isFirst }: { block: string; isFirst: boolean },
): Edit {
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start)
  const indent = /^[\s>]*(?:(?:[-*+]|\d+[.)])\s+)*/.exec(line)?.[0] ?? ''
  const prefix = indent.replace(/[^\s>]/g, ' ')
  const isApart =
    isFirst || (line === indent && (prefix !== indent || BLANK_BEFORE.test(text.slice(0, start - line.length))))
  BLANK_AFTER.lastIndex = end
  BLANK_AFTER.exec(text)
  const after = Math.max(BLANK_AFTER.lastIndex, end)
  const lines = block === '' ? '' : `${isApart ? '' : '\n\n'}${block}\n\n`
  const quoted = lines.replace(/\n(?!$)/g, (_, at) => `\n${lines[at + 1] === '\n' ? prefix.trimEnd() : prefix}`)
  const isEnd = after === text.length
  return {
    start,
    end: after,
    text: isEnd ? quoted.replace(/\n[\s>]*$/, '\n') : text[after - 1] === '\n' ? quoted : quoted + prefix,
  }
}

const BLANK_BEFORE = /(?:^|\n[ \t>]*\n)$/
/** The rest of a line, and blank lines after it. */
const BLANK_AFTER = /[ \t]*(?:\n(?:[ \t>]*\n)*)?/y

/** The content of an element as Markdown on its own. */
function contentOf(element: Element, page: Jsx, isBlock: boolean): string {
  const { start, end } = spanOf(element)
  const last = element.attributes.at(-1)
  const open = page.text.indexOf('>', last ? spanOf(last).end : start) + 1
  if (open >= end) return ''
  const hasBlocks = isBlock && (element.type === 'mdxJsxFlowElement' || onlyElements(element) !== undefined)
  const edits = editsInside(element, page, hasBlocks).map(edit => ({
    ...edit,
    start: edit.start - open,
    end: edit.end - open,
  }))
  const text = applyEdits(page.text.slice(open, page.text.lastIndexOf('</', end - 1)), edits)
  const indent = /\n([ \t>]*)[^\s>]/.exec(text)?.[1]?.length ?? 0
  return text
    .replace(new RegExp(`\\n[ \\t>]{0,${indent}}`, 'g'), '\n')
    .replace(/^(?:[ \t]*\n)+|\s+$/g, '')
    .replace(/^[ \t]+/, '')
}

/** The props of an element that have a value. */
function propsOf(element: Element, page: Jsx): Prop[] {
  return element.attributes.flatMap(attribute => {
    const { start, end } = spanOf(attribute)
    if (attribute.type !== 'mdxJsxAttribute') return []
    const source = page.text.slice(start, end)
    const { name, value } = attribute
    if (!value || typeof value === 'string') return [{ name, value: value ?? '', start, source }]
    const expression = readExpression(page.text, start + source.indexOf('{') + 1, scopeOf(page))
    const isWhole = page.text.slice(expression.end, end - 1).trim() === ''
    return [{ name, value: isWhole ? expression.value : undefined, start, source }]
  })
}

/** Notes what became of an element, and loses those of its props that say something else. */
function note(element: Element, page: Jsx, became: string, rest: readonly Prop[] = []): void {
  const what = `<${element.name ?? ''}>`
  if (/^[A-Z]/.test(element.name ?? '')) page.rows.push({ at: spanOf(element).start, what, became })
  const left = rest.filter(({ name, value }) => !isLayout(name) && JSON.stringify(value ?? '?').length > 2)
  if (left[0]) page.rows.push({ at: left[0].start, what, text: left.map(({ source }) => source).join(' ') })
}

function lose(node: Node, page: Jsx, what = isElement(node) ? `<${node.name ?? ''}>` : ''): string {
  const { start, end } = spanOf(node)
  page.rows.push({ at: start, what, text: page.text.slice(start, end) })
  return ''
}

function expressionText(node: Node & { value: string }, page: Jsx): string {
  const { start, end } = spanOf(node)
  const expression = readExpression(page.text, start + 1, scopeOf(page))
  const isWhole = page.text.slice(expression.end, end - 1).trim() === ''
  if (isWhole && typeof expression.value === 'string') {
    if (expression.value.trim() !== '') page.rows.push({ at: start, what: 'expression', became: 'its text' })
    return expression.value
  }
  return node.value.trim() === '' ? '' : lose(node, page, /^\s*\/[*/]/.test(node.value) ? 'comment' : 'expression')
}

const DROPPED = new Set(DROPPED_ELEMENTS)

function inlineText(element: Element, page: Jsx): string {
  const name = element.name ?? ''
  if (DROPPED.has(name)) return lose(element, page)
  const props = propsOf(element, page)
  const content = contentOf(element, page, false)
  const link = content === '' || !/^a$|link$/i.test(name) ? undefined : takeText(props, 'link')
  if (link !== undefined || /^(?:Inline)?Code$/.test(name)) {
    note(element, page, link === undefined ? 'code' : 'a link', props)
    return link === undefined ? `\`${content}\`` : `[${content}](${destination(link)})`
  }
  const html = htmlOf(name, props, () => content)
  const said = html === undefined ? blocksOf(props).map(block => block.replace(/^\*\*(.*)\*\*$/, '$1')) : []
  if (html === undefined && said.length === 0 && content === '') return lose(element, page)
  note(element, page, said.length > 0 ? 'Markdown' : 'its content', props)
  return html ?? [...said, content].join(' ').trim()
}

/** The Markdown of the first of some elements, and of those after it that belong to it. */
function blockText(run: readonly Element[], page: Jsx): { text: string; count?: number } {
  const [element] = run
  const name = element?.name ?? ''
  if (element === undefined) return { text: '' }
  const drawing = page.names.get(name)
  const partial = page.partials.get(name)
  if (partial !== undefined) return { text: include(partial, element, page) }
  if (DROPPED.has(name)) return { text: lose(element, page) }
  if (/^h[1-6]$/.test(name)) {
    note(element, page, 'a heading', propsOf(element, page))
    return { text: `${'#'.repeat(Number(name[1]))} ${contentOf(element, page, false).replace(/\s*\n\s*/g, ' ')}` }
  }
  const props = propsOf(element, page)
  if (typeof drawing === 'string') props.push({ name: 'src', value: drawing, start: 0, source: '' })
  const html = htmlOf(name, props, () => contentOf(element, page, true))
  const pair = pairOf(props)
  if (html !== undefined || pair.length > 0) {
    const text =
      html ?? [...blocksOf(props), verdicts(pair), contentOf(element, page, true)].filter(Boolean).join('\n\n')
    note(element, page, 'what to do and not to do', props)
    return { text }
  }
  const examples = partsOf(run, page, (each, own) => {
    const verdict = verdictOf(each.name ?? '', own)
    if (verdict === undefined) return undefined
    const content = [...blocksOf(own), contentOf(each, page, true)].filter(Boolean).join('\n\n')
    note(each, page, verdict, own)
    return { verdict, content }
  })
  if (examples.length > 0) return { text: verdicts(examples), count: examples.length }
  const colors = partsOf(run, page, (each, own) => {
    const found = each.children.length > 0 ? undefined : colorsOf(each.name ?? '', own)
    if (found !== undefined) note(each, page, 'a table of colours')
    return found
  })
  if (colors.length > 0) return { text: colorTable(colors.flat()), count: colors.length }
  return cardOf(element, props, run[1], page)
}

/** What the first of some elements are, as long as they are of one form. */
function partsOf<Part>(
  run: readonly Element[],
  page: Jsx,
  read: (element: Element, props: Prop[]) => Part | undefined,
): Part[] {
  const parts: Part[] = []
  for (const element of run) {
    const part = read(element, propsOf(element, page))
    if (part === undefined) break
    parts.push(part)
  }
  return parts
}

const TAB = /^(?:Tabs?\.)?Tab(?:Item|Panel)?$/

/** An alert, a tab, a picture with its caption, or what its props and its content say. */
function cardOf(
  element: Element,
  props: Prop[],
  next: Element | undefined,
  page: Jsx,
): { text: string; count?: number } {
  const name = element.name ?? ''
  const alert = alertOf(name, props)
  const tab = TAB.test(name) ? [takeText(props, 'title'), takeText(props, 'text')].find(each => each) : undefined
  let content = contentOf(element, page, true)
  const isCaption = next !== undefined && /caption$/i.test(next.name ?? '') && content === ''
  const own = isCaption ? contentOf(next, page, false).replace(/\s*\n\s*/g, ' ') : content
  let count = 1
  const role = contentRole(props)
  if (role !== undefined && PLAIN.test(own) && (role === 'caption' || !isCaption)) {
    props.push({ name: role, value: own, start: 0, source: '' })
    if (isCaption) note(next, page, 'the caption of a picture', propsOf(next, page))
    count = isCaption ? 2 : 1
    content = ''
  }
  const said = blocksOf(props)
  const became = alert ? 'an alert' : tab ? 'a heading' : said.length > 0 ? 'Markdown' : 'its content'
  const blocks = [...said, content].filter(block => block !== '')
  if (tab !== undefined) blocks.unshift(`${'#'.repeat(Math.min(page.level + 1, 6))} ${tab}`)
  if (alert !== undefined) blocks[0] = `${alert}\n${blocks[0] ?? ''}`
  if (
    blocks.length === 0 &&
    element.children.length === 0 &&
    (/^[A-Z]/.test(name) || props.some(({ name: each }) => !isLayout(each)))
  )
    return { text: lose(element, page) }
  note(element, page, became, props)
  const text = blocks.join('\n\n')
  return { text: alert === undefined ? text : text.replace(/^/gm, '> ').replace(/[ ]+$/gm, ''), count }
}

/** A line without formatting, which a title of a picture can have. */
const PLAIN = /^[^\n*_`[\]<>|]+$/

/** The text of an imported page, in place of its element. */
function include(name: string, element: Element, page: Jsx): string {
  const path = pathOf(name, page.task.shownPath, page.task.includes) ?? ''
  const text = page.task.includes.get(path)
  if (text === undefined) return lose(element, page)
  const includes = new Map([...page.task.includes].filter(([each]) => each !== path))
  const part = openPage(splitFrontMatter(text).content, { ...page.task, shownPath: path, includes }, true)
  const edits = pageEdits(part)
  const { start } = spanOf(element)
  page.rows.push(...part.rows.map(row => ({ ...row, at: start })))
  page.rows.push({ at: start, what: `<${element.name ?? ''}>`, became: `the text of ${path}` })
  return applyEdits(part.text, edits).trim()
}
