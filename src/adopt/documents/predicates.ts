import type { Element } from 'hast'
import { find } from '../pages/html-tree.ts'

/** An element with its signature, of which tables ask what it means. */
type Signed = { element: Element; name: string }

/** Whether the signature of an element matches. */
export function is(pattern: RegExp): (part: Signed) => boolean {
  return ({ name }) => pattern.test(name)
}

/** Whether an element in this one matches. */
export function has(pattern: RegExp): (part: Signed) => boolean {
  return ({ element }) => find(element, pattern) !== undefined
}

export function not<Part>(condition: (part: Part) => boolean): (part: Part) => boolean {
  return part => !condition(part)
}
