import type { Element, Root, RootContent } from 'hast'
import type { Words } from '../../words/words.ts'
import { classesOf, isBlank, makeElement } from '../hast.ts'
import { asBeforeAfter } from './before-after.ts'
import { asCallout } from './callouts.ts'
import { asCodeBlock, MAX_HIGHLIGHTED } from './code-blocks.ts'
import { MAX_CHIPS, withColorChip } from './color-chips.ts'
import { asDosAndDonts } from './dos-and-donts.ts'
import { asFigure, isPicture } from './figures.ts'
import { asPictureGrid, asPictureList } from './picture-grid.ts'
import { withTabs } from './tabs.ts'
import { separateVerdictPictures } from './verdict-pictures.ts'

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
      paragraph = makeElement('p', {}, node)
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

function applyBelow(parent: Root | Element, page: FormedPage, isInLink: boolean): void {
  const tagName = parent.type === 'element' ? parent.tagName : ''
  const isLinked = isInLink || tagName === 'a'
  if (parent.type === 'root') parent.children = inParagraphs(parent.children)
  else if (classesOf(parent).includes('band')) parent.children = inParagraphs(parent.children)
  for (const [at, node] of parent.children.entries()) {
    if (node.type !== 'element') continue
    const form = tagName === 'figure' ? node : formOf(node, page, isLinked)
    parent.children[at] = form
    if (node.tagName !== 'pre') applyBelow(form, page, isLinked) // Code contains no components.
  }
  applyTabs(parent)
}

/** Applies tabs after the content of the panels, since it only moves panels. */
function applyTabs(parent: Root | Element): void {
  if (parent.type === 'root') parent.children = withTabs(parent.children) ?? parent.children
  else parent.children = withTabs(parent.children) ?? parent.children
}

function formOf(element: Element, page: FormedPage, isInLink: boolean): Element {
  const context = { isInLink, words: page.words }
  switch (element.tagName) {
    case 'p':
      return (
        asFigure(element, context) ??
        asPictureGrid(element, context) ??
        separateVerdictPictures(element, context) ??
        element
      )
    case 'li':
    case 'td':
      return separateVerdictPictures(element, context) ?? element
    case 'ul':
    case 'ol':
      return asPictureList(element, context) ?? element
    case 'div':
      return asBeforeAfter(element, page.words) ?? element
    case 'table':
      return asDosAndDonts(element, context) ?? element
    case 'blockquote':
      return asCallout(element, page.words) ?? element
    case 'code':
      return withColorChip(element, page) ?? element
    case 'pre':
      return isInLink ? element : (asCodeBlock(element, page.words, page) ?? element)
    default:
      return element
  }
}
