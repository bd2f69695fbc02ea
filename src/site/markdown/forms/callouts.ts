import type { Element, ElementContent } from 'hast'
import type { Words } from '../../words/words.ts'
import { isBlank, makeElement } from '../hast.ts'
import { isBreak } from './figures.ts'
import { signOf } from './signs.ts'

/** A quote that starts with a GitHub mark such as `[!NOTE]`, as a labelled note. */
export function asCallout(quote: Element, { forms }: Words): Element | undefined {
  const start = quote.children.findIndex(node => !isBlank(node))
  const first = quote.children[start]
  if (first?.type !== 'element' || first.tagName !== 'p') return undefined
  const [text, ...others] = first.children
  const mark = text?.type === 'text' ? MARK.exec(text.value) : null
  const kind = KINDS.find(kind => kind === mark?.[1]?.toLowerCase())
  if (text?.type !== 'text' || kind === undefined) return undefined
  const rest = text.value.slice(mark?.[0].length)
  const [next] = others
  if (rest === '' && next && !isBreak(next)) return undefined
  const words: ElementContent[] = [{ ...text, value: rest }, ...(next && isBreak(next) ? others.slice(1) : others)]
  const below = quote.children.slice(start + 1)
  const content = words.every(isBlank) ? below : [{ ...first, children: words }, ...below]
  if (content.every(isBlank)) return undefined
  const label = makeElement('p', {}, signOf(kind), forms[kind])
  return makeElement('div', { ...quote.properties, className: ['callout', kind], role: 'note' }, label, ...content)
}

const KINDS = ['note', 'tip', 'important', 'warning', 'caution'] as const
const MARK = /^\s*\[!([a-z]{3,9})\][ \t]*(?=\n|$)/i
