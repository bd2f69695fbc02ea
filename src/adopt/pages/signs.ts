import type { Element, Nodes } from 'hast'
import { wordSet } from '#platform/base/text.ts'
import { elementsIn, tagOf, wordsOfAttribute } from './html-tree.ts'

/** Name, id, classes and role of an element, in lower case: `div`, `#main`, `.wide`, `@main`. */
export type Signs = ReadonlySet<string>

/** The signs of an element; other nodes only have an empty name. */
export function signsOf(node: Nodes | undefined): Signs {
  const signs = MARKS.flatMap(([mark, name]) => wordsOfAttribute(node, name).map(word => mark + word))
  return new Set([tagOf(node), ...signs].map(sign => sign.toLowerCase()))
}

const MARKS = [
  ['#', 'id'],
  ['.', 'className'],
  ['@', 'role'],
] as const

/** Whether an element has one of these signs, of which some have any text instead of `*`: `nav @navigation .code-*`. */
export function signed(list: string): (signs: Signs) => boolean {
  const wanted = wordSet(list.toLowerCase())
  const openSigns = [...wanted].filter(sign => sign.includes('*')).map(sign => sign.split('*'))
  return signs =>
    !wanted.isDisjointFrom(signs) ||
    openSigns.some(([start = '', inner = '']) =>
      signs.values().some(sign => sign.startsWith(start) && sign.includes(inner)),
    )
}

/** Whether an element has all of these signs: `table .properties`. */
export function fullySigned(list: string): (signs: Signs) => boolean {
  const wanted = wordSet(list.toLowerCase())
  return signs => wanted.isSubsetOf(signs)
}

export const isHeading = signed('h1 h2 h3 h4 h5 h6')

/** The first element in a node with signs. */
export function find(node: Nodes, isWanted: (signs: Signs) => boolean): Element | undefined {
  return elementsIn(node).find(element => isWanted(signsOf(element)))
}
