import type { Element, Root, RootContent } from 'hast'
import type { Words } from '../../words/words.ts'
import { isBlank, makeElement } from '../hast.ts'
import { asFigure, isPicture } from './figures.ts'
import type { PageForm } from './page-form.ts'
import { asPictureGrid, asPictureList } from './picture-grid.ts'

/** Makes of plain Markdown and HTML what it stands for, in place, and says which forms the page has. */
export function applyForms(tree: Root, words: Words): Set<PageForm> {
  const forms = new Set<PageForm>()
  tree.children = inParagraphs(tree.children)
  applyBelow(tree, { forms, words }, false)
  return forms
}

/** The forms that a page is found to have, and the words for what they add. */
type FormedPage = { forms: Set<PageForm>; words: Words }

/** Pictures between the blocks of a page as paragraphs, those on one line as one. */
function inParagraphs(nodes: readonly RootContent[]): RootContent[] {
  const blocks: RootContent[] = []
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
  for (const [at, node] of parent.children.entries()) {
    if (node.type !== 'element') continue
    const shown = tagName === 'figure' ? node : formOf(node, page, isLinked)
    parent.children[at] = shown
    applyBelow(shown, page, isLinked)
  }
}

function formOf(element: Element, { forms, words }: FormedPage, isInLink: boolean): Element {
  switch (element.tagName) {
    case 'img':
      forms.add('pictures')
      return element
    case 'p':
      return asFigure(element, { isInLink, words }) ?? asPictureGrid(element, { isInLink, words }) ?? element
    case 'ul':
    case 'ol':
      return asPictureList(element, { isInLink, words }) ?? element
    default:
      return element
  }
}
