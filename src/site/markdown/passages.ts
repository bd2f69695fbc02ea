import type { Element, ElementContent, RootContent } from 'hast'
import { element } from '../cards/element.ts'
import { classesOf, elementsOf, isBlank, isElement } from './hast.ts'

/**
 * Groups the blocks of a page for a grid: each `h2`, or without one each `h3`, begins a passage, in which consecutive
 * blocks of text share a column next to the heading. Text before the first heading or object is the introduction. A band has its own passages.
 */
export function passagesOf(blocks: readonly RootContent[]): Element[] {
  const passages: Element[] = []
  const opener = blocks.some(block => isElement(block, 'h2')) ? 'h2' : 'h3'
  let isOpen = false
  for (const block of blocks) {
    if (block.type === 'doctype' || isBlank(block)) continue
    if (block.type === 'element' && classesOf(block).includes('band')) {
      passages.push({ ...block, children: passagesOf(block.children) })
      isOpen = false
      continue
    }
    const isStart = isElement(block, opener) || (passages.length === 1 && isIntroduction(passages[0]) && !isText(block))
    const open = isOpen && !isStart ? passages.at(-1) : undefined
    const passage = open ?? element('section', { className: ['passage'] })
    if (!open) passages.push(passage)
    addBlock(passage, block, opener)
    if (passages.length === 1 && isIntroduction(passage)) passage.properties.className = ['passage', 'intro']
    isOpen = true
  }
  return passages
}

function isIntroduction(passage: Element | undefined): boolean {
  return passage?.children.length === 1 && isTextColumn(passage.children[0])
}

function addBlock(passage: Element, block: ElementContent, opener: string): void {
  const last = passage.children.at(-1)
  if (isElement(block, opener) || !isText(block)) passage.children.push(block)
  else if (last?.type === 'element' && isTextColumn(last)) last.children.push(block)
  else passage.children.push(element('div', { className: ['text'] }, block))
}

function isTextColumn(node: ElementContent | undefined): boolean {
  return node?.type === 'element' && classesOf(node).includes('text')
}

/** Whether a block is read as text; others are looked at, and may have the width of the page. */
function isText(block: ElementContent): boolean {
  if (block.type !== 'element') return true
  const classes = classesOf(block)
  if (OBJECTS.has(block.tagName) || classes.some(name => WIDE.has(name))) return false
  if (block.tagName === 'div' && classes.length > 0) return classes.some(name => TEXTS.has(name))
  return !elementsOf(block).some(({ tagName, properties }) => tagName === 'video' || isWideClass(properties))
}

function isWideClass({ className }: Element['properties']): boolean {
  return [className].flat().some(name => name === 'photo' || name === 'tiles')
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
