import type { Element } from 'hast'
import { element } from './element.ts'

/** A small square in a CSS colour, for display before its name; screen readers skip it. */
export function colorChip(color: string): Element {
  const square = element('path', { d: 'M0 0h1v1H0z', fill: color })
  return element('svg', { className: ['chip'], viewBox: '0 0 1 1', ariaHidden: 'true' }, square)
}
