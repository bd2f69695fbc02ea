import type { Element, ElementContent, RootContent } from 'hast'
import { element } from '../cards/element.ts'
import { classesOf, elementsOf, hasClass, isBlank, isElement, textOf } from './hast.ts'

/**
 * Groups the blocks of a page for a grid: each `h2`, or without one each `h3`, begins a passage, in which consecutive
 * blocks of text share a column next to the heading. Text before the first heading or object (a picture, film, list of
 * cards) is the introduction. A band has its own passages. Brief passages that follow each other are side by side.
 */
export function passagesOf(blocks: readonly RootContent[]): Element[] {
  const passages: Element[] = []
  const opener = blocks.some(block => isElement(block, 'h2')) ? 'h2' : 'h3'
  let isOpen = false
  const visible = blocks.flatMap(block => (block.type === 'doctype' || isBlank(block) ? [] : [block]))
  for (const [at, block] of visible.entries()) {
    if (isElement(block, 'hr') && isElement(visible[at + 1], 'h2', 'h3')) continue // The heading has its own rule.
    if (hasClass(block, 'band')) {
      passages.push({ ...block, children: passagesOf(block.children) })
      isOpen = false
      continue
    }
    const endsIntroduction = passages.length === 1 && isIntroduction(passages[0]) && !isText(block)
    const isStart = isElement(block, opener) || endsIntroduction
    const openPassage = isOpen && !isStart ? passages.at(-1) : undefined
    const passage = openPassage ?? element('section', { className: ['passage'] })
    if (!openPassage) passages.push(passage)
    addBlock(passage, block, opener)
    if (passages.length === 1 && isIntroduction(passage)) passage.properties.className = ['passage', 'intro']
    isOpen = true
  }
  return besideEachOther(passages)
}

/** Puts two or more consecutive passages of a heading and a few words into one row. */
function besideEachOther(passages: readonly Element[]): Element[] {
  const rows: Element[] = []
  for (const [at, passage] of passages.entries()) {
    const isInRow = isBrief(passage)
    const row = isInRow && isBrief(passages[at - 1]) ? rows.at(-1) : undefined
    if (row) row.children.push(passage)
    else if (isInRow && isBrief(passages[at + 1])) rows.push(element('div', { className: ['row'] }, passage))
    else rows.push({ ...passage, children: passage.children.map(withParts) })
  }
  return rows
}

/**
 * Puts consecutive parts of a text column next to each other, each a subheading with a few lines. The last part of a column
 * stays below if an object follows the column, since it may introduce that.
 */
function withParts(text: ElementContent, at: number, { length }: readonly ElementContent[]): ElementContent {
  if (!isTextColumn(text)) return text
  const starts = [...text.children.keys()].filter(at => isElement(text.children[at], 'h3'))
  const children = text.children.slice(0, starts[0])
  for (const [number, start] of starts.entries()) {
    const part = element('div', {}, text.children.slice(start, starts[number + 1]))
    const isShort = isShorter(part, MAX_PART) && part.children.every(block => isElement(block, 'h3', 'p', 'ul', 'ol'))
    const mayIntroduce = number === starts.length - 1 && at < length - 1
    const row = children.at(-1)
    if (!isShort || mayIntroduce) children.push(...part.children)
    else if (hasClass(row, 'parts')) row.children.push(part)
    else children.push(element('div', { className: ['parts'] }, part))
  }
  return { ...text, children }
}

/** Whether a passage is only a heading with at most two lines of text. */
function isBrief(passage: Element | undefined): boolean {
  const [heading, text, ...others] = passage?.children ?? []
  if (!isElement(heading, 'h2', 'h3') || others.length > 0) return false
  const isPlain = (block: ElementContent) => isElement(block, 'p', 'ul', 'ol', 'h3')
  return !text || (isTextColumn(text) && text.children.every(isPlain) && isShorter(text, MAX_BRIEF))
}

/** In characters: the text of a brief passage, and of a part of a column. */
const MAX_BRIEF = 160
const MAX_PART = 600

/** Whether a passage consists only of text without a heading. */
function isIntroduction(passage: Element | undefined): boolean {
  return passage?.children.length === 1 && isTextColumn(passage.children[0])
}

/** Adds a block to a passage: text to the text column at its end, and the heading or an object on its own. */
function addBlock(passage: Element, block: ElementContent, opener: string): void {
  if (isShortList(block)) block.properties.className = [...classesOf(block), 'short']
  const last = passage.children.at(-1)
  if (isElement(block, opener) || !isText(block)) passage.children.push(block)
  else if (isTextColumn(last)) last.children.push(block)
  else passage.children.push(element('div', { className: ['text'] }, block))
}

/** Whether a block is a list of a few words each, which has columns; some items may be longer. Not for numbers and tasks. */
function isShortList(block: ElementContent): block is Element {
  const items =
    isElement(block, 'ul') && classesOf(block).length === 0 ? block.children.filter(item => !isBlank(item)) : []
  return (
    items.length > 1 && isShorter(block, MAX_ITEM * items.length) && items.every(item => isShorter(item, 3 * MAX_ITEM))
  )
}

/** In characters, on average. */
const MAX_ITEM = 40

function isShorter(node: ElementContent, length: number): boolean {
  return textOf(node, length + 2).length <= length
}

function isTextColumn(node: ElementContent | undefined): node is Element {
  return hasClass(node, 'text')
}

/** Whether a block is read as text; others are looked at, and may have the width of the page. */
function isText(block: ElementContent): boolean {
  if (block.type !== 'element') return true
  const classes = classesOf(block)
  if (OBJECTS.has(block.tagName) || classes.some(name => WIDE.has(name))) return false
  if (block.tagName === 'div' && classes.length > 0) return classes.some(name => TEXTS.has(name))
  const isObject = (each: Element) => each.tagName === 'video' || hasClass(each, 'photo') || hasClass(each, 'tiles')
  return !elementsOf(block).some(isObject)
}

const OBJECTS = new Set(['figure', 'video', 'img', 'picture'])
const WIDE = new Set([
  'statement',
  'pictures',
  'proportions',
  'tiles',
  'cards',
  'page-list',
  'full',
  'wide',
  'columns',
  'split',
])
const TEXTS = new Set(['callout', 'code', 'tabs'])
