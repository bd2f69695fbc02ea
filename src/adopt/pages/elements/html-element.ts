import { SAFE_ELEMENTS } from '#brand/markdown/dropped-html.ts'
import { wordSet, wordTable } from '#platform/base/text.ts'
import { type Kind, kindOf } from '../components.ts'
import { picturesAsHtml } from './pictures.ts'
import type { Prop } from './props.ts'

/** HTML elements that are words in a sentence, also if they are alone in a paragraph. */
export const INLINE =
  wordSet(`a abbr b bdi bdo br cite code del dfn em i ins kbd mark q s samp small span strong sub sup time u
  var wbr Link Code InlineCode`)
const MARKDOWN = wordSet('h1 h2 h3 h4 h5 h6 p div span section img figure figcaption')
const HTML = new Set(SAFE_ELEMENTS.filter(name => !MARKDOWN.has(name)))
const HTML_PROPS = wordSet(`id title lang dir href src alt colspan rowspan span start datetime name scope align controls
  open cite label kind srclang srcset media`)

/** The HTML of components that have no meaning besides it. */
const NAMES = wordTable([['code', 'Code InlineCode']])
const CELLS: ReadonlyMap<Kind | undefined, string> = new Map([
  ['table', 'table'],
  ['tr', 'tr'],
  ['th', 'th'],
  ['td', 'td'],
])

const SIMPLE = wordSet('string boolean')
const EMPTY = wordSet('br hr wbr source track col input')

/**
 * An element as HTML, if the website shows it, and those of its props that HTML does not have. Markdown in a block has
 * blank lines around it; in a sentence or a cell, it stays on the line.
 */
export function htmlOf(
  element: string,
  props: Prop[],
  text: string,
  isBlock: boolean,
): { html: string; rest: Prop[] } | undefined {
  const name = NAMES.get(element) ?? CELLS.get(kindOf(element)) ?? element
  const isLink = name === 'a' && props.some(prop => prop.name === 'href') && !props.some(prop => prop.name === 'title')
  if (!HTML.has(name) || isLink) return undefined
  const own = props.filter(prop => HTML_PROPS.has(prop.name.toLowerCase()) && SIMPLE.has(typeof prop.value))
  const given = own.map(
    prop => `${prop.name.toLowerCase()}="${prop.value === true ? '' : `${prop.value}`.replaceAll('"', '&quot;')}"`,
  )
  const [tag, rest] = [[name, ...given].join(' '), props.filter(prop => !own.includes(prop))]
  if (EMPTY.has(name)) return { html: `<${tag}>`, rest }
  // Markdown in <picture> has no effect.
  const content = name === 'picture' ? picturesAsHtml(text) : text
  const around = !isBlock || INLINE.has(name) || /^[^*_`[\]\n]*$/.test(content) ? '' : '\n\n'
  return { html: `<${tag}>${around}${content}${around}</${name}>`, rest }
}
