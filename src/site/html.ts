/** Safe HTML. Only `html`, which escapes its values, and the sanitiser make it. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** An English word or sentence on a page in another language. As a string, it is not marked as English. */
export class EnglishText {
  readonly #text: string
  constructor(text: string) {
    this.#text = text
  }
  toString(): string {
    return this.#text
  }
  toJSON(): string {
    return this.#text
  }
}

/** A word or sentence of the website itself, in English if the language of the page lacks it. */
export type Word = string | EnglishText

/** Joins words, except empty ones. The result is marked as English if one of them is. */
export function joinWords(words: readonly (Word | undefined)[], separator: string): Word {
  const text = words.filter(word => word !== undefined && word !== '').join(separator)
  return words.some(word => word instanceof EnglishText) ? new EnglishText(text) : text
}

/** The attributes that mark English on a page in another language, which may run from right to left. */
export const ENGLISH = { lang: 'en', dir: 'ltr' } as const

type Part = Html | Word | number | false | undefined | readonly Part[]

/** A template that escapes every value except `Html`. English text gets an element with its language, except in an attribute. */
export function html(strings: TemplateStringsArray, ...values: readonly Part[]): Html {
  let text = '' // `+` avoids copying long strings for each enclosing template.
  for (let at = 0; at < strings.length; at++) {
    const value = values[at]
    text += strings[at]
    text += value instanceof EnglishText && isInAttribute(strings, at) ? escapeText(`${value}`) : escapeValue(value)
  }
  return new Html(text)
}

/** An attribute of an element with the space before it; nothing if its value is undefined or empty. */
export function attribute(name: string, value: Word | number | undefined): Html | undefined {
  return value === undefined || value === '' ? undefined : html` ${name}="${value}"`
}

function escapeValue(value: Part): string {
  if (value === undefined || value === false) return ''
  if (value instanceof Html) return value.text
  if (value instanceof EnglishText)
    return `<bdi lang="${ENGLISH.lang}" dir="${ENGLISH.dir}">${escapeText(`${value}`)}</bdi>`
  if (typeof value !== 'object') return escapeText(String(value))
  let text = ''
  for (const part of value) text += escapeValue(part)
  return text
}

/** Whether the value after `strings[at]` is within the quotes of an attribute. */
function isInAttribute(strings: TemplateStringsArray, at: number): boolean {
  return /="[^"]*$/.test(strings.slice(0, at + 1).join(''))
}

/** Escapes a string for use in an element or in a quoted attribute. */
export function escapeText(text: string): string {
  return /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, mark => ESCAPED[mark] ?? '') : text
}

const ESCAPED: Readonly<Record<string, string>> = {
  '&': '&#38;',
  '<': '&#60;',
  '>': '&#62;',
  '"': '&#34;',
  "'": '&#39;',
}
