import type { Element, ElementContent, RootContent } from 'hast'
import { attribute, textOf } from './html-tree.ts'

/**
 * Makes elements of phrases whose weight, slant or line is only in their style, as exports of Google Docs need. Joins
 * equal neighbours, and moves spaces at their ends outside, where Markdown needs them.
 */
export function tidyPhrases(nodes: readonly RootContent[], styles: ReadonlyMap<string, string>): ElementContent[] {
  const done: ElementContent[] = []
  for (const node of nodes) {
    if (node.type === 'doctype') continue
    if (node.type === 'element') node.children = tidyPhrases(node.children, styles)
    const phrase = node.type === 'element' ? wrapStyled(node, styles) : node
    if (phrase.type !== 'element' || !PHRASES.test(phrase.tagName)) {
      done.push(phrase)
      continue
    }
    const [before, after] = [takeSpace(phrase, /^\s+/, 0), takeSpace(phrase, /\s+$/, -1)]
    if (before !== '') done.push({ type: 'text', value: before })
    const previous = done.at(-1)
    if (textOf(phrase) === '') done.push(...phrase.children)
    else if (previous?.type === 'element' && previous.tagName === phrase.tagName)
      previous.children.push(...phrase.children)
    else done.push(phrase)
    if (after !== '') done.push({ type: 'text', value: after })
  }
  return done
}

const PHRASES = /^(?:strong|b|em|i|s|del)$/

function takeSpace(node: ElementContent | undefined, pattern: RegExp, at: 0 | -1): string {
  if (node?.type === 'element') return takeSpace(node.children.at(at), pattern, at)
  const [space = ''] = (node?.type === 'text' && pattern.exec(node.value)) || []
  if (node?.type === 'text') node.value = node.value.replace(pattern, '')
  return space
}

function wrapStyled(element: Element, styles: ReadonlyMap<string, string>): Element {
  if (element.tagName !== 'span' && element.tagName !== 'font') return element
  const classes = attribute(element, 'className').split(' ')
  const style = [attribute(element, 'style'), ...classes.map(name => styles.get(name) ?? '')].join(';')
  const names = STYLES.flatMap(([pattern, tagName]) => (pattern.test(style) ? [tagName] : []))
  return names.reduce((inner, tagName) => ({ ...element, tagName, properties: {}, children: [inner] }), element)
}

const STYLES = [
  [/text-decoration[\w-]*:[^;]*line-through/, 'del'],
  [/font-style:\s*italic/, 'em'],
  [/font-weight:\s*(?:bold|[6-9]00)/, 'strong'],
] as const
