import type { Element, Root, RootContent } from 'hast'
import type { Words } from '../../words/words.ts'
import { isBlank, makeElement } from '../hast.ts'
import { asCallout } from './callouts.ts'
import { asCodeBlock, MAX_MARKED } from './code-blocks.ts'
import { MAX_CHIPS, withColorChip } from './color-chips.ts'
import { asDosAndDonts } from './dos-and-donts.ts'
import { asFigure, isPicture } from './figures.ts'
import { withJudgedPictures } from './judged-pictures.ts'
import type { PageForm } from './page-form.ts'
import { asPictureGrid, asPictureList } from './picture-grid.ts'
import { withTabs } from './tabs.ts'

/** Makes of plain Markdown and HTML what it stands for, in place, and says which forms the page has. */
export function applyForms(tree: Root, words: Words): Set<PageForm> {
  const forms = new Set<PageForm>()
  tree.children = inParagraphs(tree.children)
  applyBelow(tree, { forms, words, marksLeft: MAX_MARKED, chipsLeft: MAX_CHIPS }, false)
  return forms
}

/** The forms that a page is found to have, and the words for what they add. */
type FormedPage = { forms: Set<PageForm>; words: Words; marksLeft: number; chipsLeft: number }

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
    if (node.tagName !== 'pre') applyBelow(shown, page, isLinked) // Code is no other form.
  }
  applyTabs(parent, page.forms)
}

/** After what is below: panels are moved and not changed. */
function applyTabs(parent: Root | Element, forms: Set<PageForm>): void {
  if (parent.type === 'root') parent.children = added(forms, 'tabs', withTabs(parent.children)) ?? parent.children
  else parent.children = added(forms, 'tabs', withTabs(parent.children)) ?? parent.children
}

function formOf(element: Element, page: FormedPage, isInLink: boolean): Element {
  const { forms, words } = page
  const context = { isInLink, words }
  switch (element.tagName) {
    case 'img':
      return added(forms, 'pictures', element)
    case 'p':
      return (
        judged(forms, asFigure(element, context)) ??
        added(forms, 'grids', asPictureGrid(element, context) ?? withJudgedPictures(element, context)) ??
        element
      )
    case 'li':
    case 'td':
      return added(forms, 'grids', withJudgedPictures(element, context)) ?? element
    case 'ul':
    case 'ol':
      return added(forms, 'grids', asPictureList(element, context)) ?? element
    case 'table':
      return added(forms, 'grids', added(forms, 'pictures', asDosAndDonts(element, context))) ?? element
    case 'blockquote':
      return added(forms, 'callouts', asCallout(element, words)) ?? element
    case 'code':
      return added(forms, 'chips', withColorChip(element, page)) ?? element
    case 'pre':
      return isInLink ? element : (added(forms, 'code', asCodeBlock(element, words, page)) ?? element)
    default:
      return element
  }
}

/** A judgement looks as it does in a grid. */
function judged(forms: Set<PageForm>, figure: Element | undefined): Element | undefined {
  return figure?.properties.className ? added(forms, 'grids', figure) : figure
}

/** Notes that the page has a form, if anything is shown as one. */
function added<Shown>(forms: Set<PageForm>, form: PageForm, shown: Shown): Shown {
  if (shown !== undefined) forms.add(form)
  return shown
}
