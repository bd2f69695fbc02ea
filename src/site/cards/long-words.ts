import type { Element } from 'hast'
import { type Html, html, type Word } from '../html.ts'
import { element } from './element.ts'

/**
 * The places at which a line of a title may break: white space, except in `60 × 40`, and after a hyphen or dash; in
 * Chinese, Japanese and Korean after any character.
 */
const BREAKS = /(?<!\d [:×/])[ \n](?![:×/] \d)|(?<=[-\u00ad\u2013\u2e80-\ufaff])/

/** The width of a string in average letters: capitals, `m` and `w` are wider, and East Asian characters twice as wide. */
export function lettersOf(text: string): number {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
  return text.length + 0.25 * count(/\p{Lu}/gu) + 0.5 * count(/[mw]/gi) + 0.8 * count(/[\u2e80-\ufaff]/g)
}

/**
 * The classes of a heading or statement with a long word: `fit word-14` for one as wide as 14 letters. Its only child then
 * shrinks until the word fits, at most to the size of the text below it (`base.css`). None for short words.
 */
export function fitClasses(texts: readonly string[]): string[] {
  const letters = Math.max(...texts.flatMap(text => text.split(BREAKS)).map(lettersInTitle))
  const size = WORD_SIZES.find(each => each >= letters) ?? WORD_SIZES.at(-1)
  return letters < SHORT ? [] : ['fit', `word-${size}`]
}

/** The width of a word in a title in average letters: as in `lettersOf`, but narrow letters count less. */
function lettersInTitle(word: string): number {
  return lettersOf(word) - 0.4 * (word.match(/[fijlrt]/g)?.length ?? 0)
}

/** Whether a word is too long for a narrow tile. */
export function isLong(texts: readonly string[]): boolean {
  return texts.some(text => text.split(BREAKS).some(word => lettersInTitle(word) > LONG))
}

/** In letters: shorter words fit into every title, and longer ones into no narrow tile. */
const SHORT = 8
const LONG = 12
/** In letters: the widths of words that have a class. */
export const WORD_SIZES = [...evenSteps(8, 24, 1), ...evenSteps(26, 48, 2), ...evenSteps(52, 64, 4)]

function evenSteps(first: number, last: number, step: number): number[] {
  return Array.from({ length: (last - first) / step + 1 }, (_, at) => first + at * step)
}

/** A title, whose words break only if they are too long for its line at its least size. */
export function heading(level: 1 | 2, text: Word): Html {
  const classes = fitClasses(stepsOf(`${text}`)).join(' ')
  const name = breakable(text)
  const tag = html`h${level}`
  return classes === ''
    ? html`<${tag}>${name}</${tag}>`
    : html`<${tag} class="${classes}"><span>${name}</span></${tag}>`
}

/** The parts of a name such as `Primary/Hover` or `logo_dark.svg`, after each of which it may break; `GOV.UK` is one. */
export function stepsOf(name: string): string[] {
  return name.split(/(?<=[/_.-])(?=[^\s\d/_.-][^\s/_.-]{2})/)
}

/** A name with places where it may break, as parts of a tree. */
export function breakPlaces(name: string): (string | Element)[] {
  return stepsOf(name).flatMap((step, at) => (at > 0 ? [element('wbr', {}), step] : [step]))
}

/** A name with places where it may break. */
export function breakable(name: Word): Html {
  if (typeof name !== 'string') return html`${name}`
  return html`${stepsOf(name).map((step, at) => html`${at > 0 && html`<wbr>`}${step}`)}`
}
