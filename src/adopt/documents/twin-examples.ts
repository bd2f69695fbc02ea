import type { Element } from 'hast'
import type { Nodes as Markdown } from 'mdast'
import { groupsOf } from '#platform/base/text.ts'
import { tableOf } from '../pages/elements/tables.ts'
import { verdictIn } from '../pages/elements/verdict.ts'
import {
  block,
  childElements,
  findTag,
  type HtmlPage,
  plainText,
  replaceElements,
  safeHtml,
} from '../pages/html-tree.ts'

/**
 * A table of what to do and not to do instead of examples that only differ by a style, which a guide does not have: a bad
 * example that looks like the good one is worse than none. Undefined for other elements.
 */
export function twinExamples(element: Element, page: HtmlPage): Markdown | undefined {
  const parts = childElements(element)
  const examples = parts.filter(({ tagName }) => tagName === 'figure').flatMap(figure => exampleIn(figure) ?? [])
  const [shown = '', ...others] = new Set(examples.map(each => each.shown))
  if (examples.length < Math.max(2, parts.length) || others.length > 0) return undefined
  page.note('lost', element, 'example whose style is not in the guide', shown)
  const row = new Map(examples.map(({ verdict, words }) => [verdict, words]))
  return block(tableOf([...row.keys()], [row]))
}

/** What a figure shows, and its caption, such as `Don't: Low contrast`. */
function exampleIn(figure: Element) {
  const caption = findTag(figure, 'figcaption')
  const [, sign = '', words = ''] = groupsOf(/^([^:]{1,20}):\s{0,3}(.{1,1000})$/s, plainText(caption))
  const verdict = verdictIn(sign, 0)
  const children = replaceElements(figure.children, each => (each === caption ? [] : undefined))
  return verdict && { verdict, words, shown: safeHtml({ ...figure, children }) }
}
