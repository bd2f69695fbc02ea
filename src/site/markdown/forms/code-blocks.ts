import type { Element } from 'hast'
import type { Words } from '../../words/words.ts'
import { classesOf, isBlank, makeElement } from '../hast.ts'
import { highlightSyntax } from './syntax.ts'

/** The limit of highlighted code per page in characters, since highlighting makes code much longer. */
export const MAX_HIGHLIGHTED = 50_000

/** A code block with a copy button. Highlights it within the limit of the page. */
export function asCodeBlock(pre: Element, { copy, forms }: Words, page: { marksLeft: number }): Element | undefined {
  const [code, ...others] = pre.children.filter(child => !isBlank(child))
  if (code?.type !== 'element' || code.tagName !== 'code' || others.length > 0) return undefined
  highlightCode(code, page)
  const button = makeElement('button', {
    type: 'button',
    className: ['copy'],
    dataCopy: '',
    ariaLabel: `${copy.copy({ what: `${forms.code}` })}`,
  })
  return makeElement('div', { className: ['code'] }, pre, button)
}

function highlightCode(code: Element, page: { marksLeft: number }): void {
  const language = classesOf(code).find(name => name.startsWith('language-'))
  const [text, ...others] = code.children
  if (text?.type !== 'text' || others.length > 0 || text.value.length > page.marksLeft) return
  const marked = language && highlightSyntax(text.value, language.slice('language-'.length).toLowerCase())
  if (!marked) return
  page.marksLeft -= text.value.length
  code.children = marked
}
