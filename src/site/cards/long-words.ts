import { type Html, html, type Word } from '../html.ts'

/** A word breaks after a hyphen; Chinese, Japanese and Korean after any character; `60 × 40` does not break. */
const BREAKS = /(?<!\d [:×/])[ \n](?![:×/] \d)|(?<=[-\u00ad\u2013\u2e80-\ufaff])/

/** Capitals, `m` and `w` are wider, and East Asian characters twice as wide. */
export function lettersOf(text: string): number {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
  return text.length + 0.25 * count(/\p{Lu}/gu) + 0.5 * count(/[mw]/gi) + 0.8 * count(/[\u2e80-\ufaff]/g)
}

/** The classes of a box whose only child shrinks until these words fit (`base.css`); none for short words. */
export function fitClasses(texts: readonly string[]): string[] {
  const letters = Math.max(...texts.flatMap(text => text.split(BREAKS)).map(lettersInTitle))
  const size = WORD_SIZES.find(each => each >= letters) ?? WORD_SIZES.at(-1)
  return letters < SHORT ? [] : ['fit', `word-${size}`]
}

/** Paper has space for small text in any font; a title is larger, and its narrow letters count less. */
function lettersInTitle(word: string): number {
  return lettersOf(word) - 0.4 * (word.match(/[fijlrt]/g)?.length ?? 0)
}

/** Whether a word is too long for a narrow tile, or for a line of `line` letters. */
export function isLong(texts: readonly string[], line = LONG): boolean {
  return texts.some(text => text.split(BREAKS).some(word => lettersInTitle(word) > line))
}

/** The class for a line of small letters on a cover, which shrink only for a word that is longer than a phone is wide. */
export function lineClass(texts: readonly string[]): string {
  return isLong(texts, PHONE_LINE) ? ` ${fitClasses(texts).at(-1)}` : ''
}

const [SHORT, LONG] = [8, 12]
/** The letters of about 24 px on a line of a phone. */
export const PHONE_LINE = 16
/** In letters. */
export const WORD_SIZES = [...evenSteps(8, 24, 1), ...evenSteps(26, 48, 2), ...evenSteps(52, 64, 4)]

function evenSteps(first: number, last: number, step: number): number[] {
  return Array.from({ length: (last - first) / step + 1 }, (_, at) => first + at * step)
}

/** A title whose longest word is never broken: the level of a heading, and its text. */
export function heading(level: 1 | 2 | 3, text: Word): Html {
  const { classes, content } = fitted(text)
  const tag = html`h${level}`
  return html`<${tag}${classes !== '' && html` class="${classes}"`}>${content}</${tag}>`
}

/** The classes of an element with a name, and its content. If all its words fit into a line of `line` small letters, it has none. */
export function fitted(text: Word, line = 0): { classes: string; content: Html } {
  const steps = stepsOf(`${text}`)
  const classes = isLong(steps, line) ? fitClasses(steps) : []
  const name = typeof text === 'string' ? html`${breakable(text)}` : html`${text}`
  return { classes: classes.join(' '), content: classes.length === 0 ? name : html`<span>${name}</span>` }
}

/** The parts of a name such as `Primary/Hover` or `logo_dark.svg`, after each of which it may break; `GOV.UK` is one. */
export function stepsOf(name: string): string[] {
  return name.split(/(?<=[/_.-])(?=[^\s\d/_.-][^\s/_.-]{2})/)
}

/** A name with places where it may break. */
export function breakable(name: string): Html[] {
  return stepsOf(name).map((step, at) => html`${at > 0 && html`<wbr>`}${step}`)
}
