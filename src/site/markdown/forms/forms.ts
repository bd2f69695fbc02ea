import type { Element, ElementContent, Root, RootContent } from 'hast'
import { element } from '../../cards/element.ts'
import type { Words } from '../../words/words.ts'
import { attribute, classesOf, elementsOf, isBlank, isElement, rowsOf, textOf } from '../hast.ts'
import { asCodeBlock, MAX_CHIPS, MAX_HIGHLIGHTED, withColorChips } from './code-blocks.ts'
import {
  asFigure,
  asJudgedFigure,
  type FigureOptions,
  isPicture,
  picturesIn,
  signOf,
  titleVerdict,
  type Verdict,
} from './figures.ts'
import {
  asPictureGrid,
  asPictureList,
  figureAndText,
  separateVerdictPictures,
  splitPictureAndText,
} from './picture-grid.ts'

/** Converts plain Markdown and HTML to page components, in place. */
export function applyForms(tree: Root, words: Words): void {
  applyBelow(tree, { words, marksLeft: MAX_HIGHLIGHTED, chipsLeft: MAX_CHIPS }, false)
}

/** The words for added content, and the remaining limits of the page. */
type FormedPage = { words: Words; marksLeft: number; chipsLeft: number }

/** Wraps pictures between blocks in paragraphs, one paragraph per line. */
function inParagraphs<Node extends RootContent>(nodes: readonly Node[]): (Node | Element)[] {
  const blocks: (Node | Element)[] = []
  let paragraph: Element | undefined
  for (const [at, node] of nodes.entries()) {
    const isAlone = node.type === 'element' && isPicture(node) && !isText(nodes[at - 1]) && !isText(nodes[at + 1])
    if (isAlone && paragraph) paragraph.children.push(node)
    else if (isAlone) {
      paragraph = element('p', {}, node)
      blocks.push(paragraph)
    } else {
      blocks.push(node)
      paragraph = undefined
    }
  }
  return blocks
}

function isText(node: RootContent | undefined): boolean {
  return node?.type === 'text' && !isBlank(node)
}

/**
 * Converts everything below a parent, in place: first the text and the pictures directly in it, then each child and what is
 * below that, and at last the panels of tabs.
 */
function applyBelow(parent: Root | Element, page: FormedPage, isInLink: boolean): void {
  const tagName = parent.type === 'element' ? parent.tagName : ''
  const isLinked = isInLink || tagName === 'a'
  if (parent.type === 'element' && (tagName === 'code' || !isLinked)) parent.children = withColorChips(parent, page)
  if (parent.type === 'root') parent.children = inParagraphs(parent.children)
  else if (classesOf(parent).includes('band')) parent.children = inParagraphs(parent.children)
  for (const [at, node] of parent.children.entries()) {
    if (node.type !== 'element') continue
    const form = tagName === 'figure' ? node : formOf(node, page, isLinked)
    parent.children[at] = form
    if (node.tagName !== 'pre') applyBelow(form, page, isLinked) // Code contains no components.
  }
  // After the content of the panels, since tabs only move panels. The two cases differ only in the type of the children.
  if (parent.type === 'root') parent.children = withTabs(parent.children)
  else parent.children = withTabs(parent.children)
}

function formOf(element: Element, page: FormedPage, isInLink: boolean): Element {
  return FORMS.get(element.tagName)?.(element, { isInLink, words: page.words }, page) ?? element
}

type MakeForm = (element: Element, context: FigureOptions, page: FormedPage) => Element | undefined

/** The forms that may replace an element, by its name. */
const FORMS: ReadonlyMap<string, MakeForm> = new Map<string, MakeForm>([
  [
    'p',
    (block, context) =>
      asFigure(block, context) ?? asPictureGrid(block, context) ?? separateVerdictPictures(block, context),
  ],
  ['figure', asJudgedFigure],
  ['li', separateVerdictPictures],
  ['td', separateVerdictPictures],
  ['ul', asPictureList],
  ['ol', asPictureList],
  ['div', asBeforeAfter],
  ['table', asDosAndDonts],
  ['blockquote', asCallout],
  ['pre', (pre, { isInLink, words }, page) => (isInLink ? undefined : asCodeBlock(pre, words, page))],
])

/** Replaces each run of adjacent `<details>` with the same name by a set of tabs, one of them open. */
function withTabs<Node extends RootContent>(nodes: readonly Node[]): (Node | Element)[] {
  const joined: (Node | Element)[] = []
  /** Each element or run of panels, with its index in `joined`; text between them ends a run. */
  const runs: { name: string | undefined; place: number; panels: Element[] }[] = []
  for (const node of nodes) {
    if (node.type === 'element') {
      const name = panelName(node)
      const run = runs.at(-1)
      if (name !== undefined && name === run?.name) {
        run.panels.push(node)
        joined.length = run.place + 1 // Without the blanks between panels.
        continue
      }
      runs.push({ name, place: joined.length, panels: [node] })
    } else if (!isBlank(node)) runs.push({ name: undefined, place: joined.length, panels: [] })
    joined.push(node)
  }
  for (const { place, panels } of runs) if (panels.length > 1) joined[place] = tabsOf(panels)
  return joined
}

/** The name that joins panels, of `<details name="logo"><summary>…`; undefined for other elements. */
function panelName({ tagName, properties, children }: Element): string | undefined {
  const first = children.find(child => !isBlank(child))
  const hasLabel = isElement(first, 'summary')
  return tagName === 'details' && hasLabel && typeof properties.name === 'string' ? properties.name : undefined
}

function tabsOf(panels: readonly Element[]): Element {
  const open = panels.find(({ properties }) => properties.open === true) ?? panels[0]
  for (const panel of panels) panel.properties.open = panel === open
  return element('div', { className: ['tabs'] }, panels)
}

/** A quote that starts with a GitHub mark such as `[!NOTE]`, as a labelled note. */
function asCallout(quote: Element, { words: { forms } }: FigureOptions): Element | undefined {
  const start = quote.children.findIndex(node => !isBlank(node))
  const first = quote.children[start]
  if (!isElement(first, 'p')) return undefined
  const [text, ...others] = first.children
  const mark = text?.type === 'text' ? CALLOUT_MARK.exec(text.value) : null
  const kind = CALLOUTS.find(kind => kind === mark?.[1]?.toLowerCase())
  if (text?.type !== 'text' || kind === undefined) return undefined
  const textAfterMark = text.value.slice(mark?.[0].length)
  const [next] = others
  // The mark has its line to itself: `[!NOTE] *text*` is not a callout.
  if (textAfterMark === '' && next && !isElement(next, 'br')) return undefined
  const nodesAfterMark = isElement(next, 'br') ? others.slice(1) : others
  const firstLines: ElementContent[] = [{ ...text, value: textAfterMark }, ...nodesAfterMark]
  const below = quote.children.slice(start + 1)
  const content = firstLines.every(isBlank) ? below : [{ ...first, children: firstLines }, ...below]
  if (content.every(isBlank)) return undefined
  const label = element('p', {}, signOf(kind), forms[kind])
  return element('div', { ...quote.properties, className: ['callout', kind], role: 'note' }, label, content)
}

const CALLOUTS = ['note', 'tip', 'important', 'warning', 'caution'] as const
const CALLOUT_MARK = /^\s*\[!([a-z]{3,9})\][ \t]*(?=\n|$)/i

/**
 * Adds signs to the header and bars to the cells of a table with the columns `Do` and `Don't`, in place. `Do: Right`
 * has a word of its author. A first column may label the rows.
 */
function asDosAndDonts(table: Element, context: FigureOptions): Element | undefined {
  const [head = [], ...body] = rowsOf(table)
  const verdicts = head.map(cell => titleVerdict(textOf(cell, MAX_HEADING)))
  const hasLabels = verdicts.length === 3 && verdicts[0] === undefined
  if (verdicts.length !== 2 && !hasLabels) return undefined
  if (!verdicts.includes('do') || !verdicts.includes('dont')) return undefined
  table.properties.className = hasLabels ? ['judged', 'labelled'] : ['judged']
  for (const [column, verdict] of verdicts.entries()) {
    const cells = body.flatMap(row => row[column] ?? [])
    if (verdict) markColumn(verdict, head[column], cells, context)
    else for (const cell of cells) labelRow(cell)
  }
  return table
}

/** In characters. */
const MAX_HEADING = 100

/** Makes a cell the header of its row, unless it is empty. */
function labelRow(cell: Element): void {
  if (textOf(cell, 1) === '') return // An empty cell is not a header.
  cell.tagName = 'th'
  cell.properties.scope = 'row'
}

/** Marks a column as examples to follow or to avoid: with a sign and a word in its head, and a class for each cell. */
function markColumn(
  verdict: Verdict,
  head: Element | undefined,
  cells: readonly Element[],
  context: FigureOptions,
): void {
  const authorsWord = head && textOf(head, MAX_HEADING).split(':').slice(1).join(':').trim()
  if (head) head.children = element('th', {}, signOf(verdict), authorsWord || context.words.forms[verdict]).children
  for (const cell of head ? [head, ...cells] : cells) cell.properties.className = [verdict]
  for (const cell of cells) {
    const parts = splitPictureAndText(cell.children)
    if (parts) cell.children = figureAndText(parts, context)
  }
}

/**
 * A table with the headings `Before` and `After` and two pictures in each row, as one comparison per row: side by side,
 * or with script one above the other with a slider.
 */
function asBeforeAfter(box: Element, { words: { forms, changes } }: FigureOptions): Element | undefined {
  const [table] = box.children
  if (!classesOf(box).includes('table') || table?.type !== 'element') return undefined
  const [head = [], ...body] = rowsOf(table)
  const names = head.map(cell => textOf(cell, MAX_WORD).toLowerCase())
  const pairs = body.flatMap(cells => {
    const [before, after] = cells.map(cell => imagesIn(cell.children))
    return cells.length === 2 && before && after ? { before, after } : []
  })
  if (names.join() !== 'before,after' || pairs.length === 0 || pairs.length < body.length) return undefined
  const comparisons = pairs.map(({ before, after }) => {
    const properties = { type: 'range', min: '0', max: '100', value: '50', ariaLabel: `${forms.compare}` }
    const figures = [figureOf(before, changes.before), figureOf(after, changes.after)]
    return element('div', { className: ['compare'] }, ...figures, element('input', properties))
  })
  return comparisons.length === 1 ? comparisons[0] : element('div', {}, comparisons)
}

/** Longer than either heading. */
const MAX_WORD = 10

/** The only picture of a cell, without its link, which a slider would cover; a pair for light and dark pages is one. */
function imagesIn(nodes: readonly ElementContent[]): Element[] | undefined {
  const [picture, ...others] = picturesIn(nodes) ?? []
  if (!picture || others.length > 0) return undefined
  return picture.flatMap(element => elementsOf(element).filter(({ tagName }) => tagName === 'img'))
}

/** A picture of a comparison with `Before` or `After`, and the author's title behind that. */
function figureOf(images: readonly Element[], word: Words['changes']['before']): Element {
  const title = images.map(image => attribute(image, 'title')?.trim()).find(found => found)
  for (const image of images) delete image.properties.title
  const caption = element('figcaption', {}, word, title && `: ${title}`)
  return element('figure', {}, element('span', { className: ['picture'] }, images), caption)
}
