import { isObject } from '#platform/base/object.ts'
import { escapeHtml, wordSet } from '#platform/base/text.ts'

/** HTML that a component shows, unlike a text. */
export type Markup = { [HTML]: string }

const HTML = Symbol('html')

/** The elements of HTML without an end tag. */
export const VOID_ELEMENTS = wordSet('area br col embed hr img input link meta source track wbr')

export function markup(html: string): Markup {
  return { [HTML]: html }
}

/** The HTML of markup; undefined for another value. */
export function markupOf(value: unknown): string | undefined {
  return isMarkup(value) ? value[HTML] : undefined
}

function isMarkup(value: unknown): value is Markup {
  return isObject(value) && HTML in value
}

/** What a value shows in markup: nothing if it is unknown, a condition or an object. */
export function shownHtml(value: unknown): string {
  if (Array.isArray(value)) return value.map(shownHtml).join('')
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(`${value}`)
  return markupOf(value) ?? ''
}
