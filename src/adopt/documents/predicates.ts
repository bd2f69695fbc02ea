import type { Element } from 'hast'
import { find, type Signs, signed } from '../pages/signs.ts'

/** An element with its signs, of which tables ask what it means. */
type Signed = { element: Element; signs: Signs }

/** Whether an element has one of these signs. */
export function is(list: string): (part: Signed) => boolean {
  const isSigned = signed(list)
  return ({ signs }) => isSigned(signs)
}

/** Whether an element in this one has one of these signs. */
export function has(list: string): (part: Signed) => boolean {
  const isSigned = signed(list)
  return ({ element }) => find(element, isSigned) !== undefined
}

export function not<Part>(condition: (part: Part) => boolean): (part: Part) => boolean {
  return part => !condition(part)
}
