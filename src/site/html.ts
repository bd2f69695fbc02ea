import { inSteps, pacing } from '../base/steps.ts'

/** HTML that is safe in a page. It is made by `html`, which escapes its values, and by the sanitiser. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | false | undefined | readonly Part[]

/** A template that escapes every value except `Html`. */
export function html(strings: TemplateStringsArray, ...values: readonly Part[]): Html {
  return new Html(strings.map((string, at) => string + escaped(values[at])).join(''))
}

function escaped(value: Part): string {
  if (value === undefined || value === false) return ''
  if (value instanceof Html) return value.text
  return typeof value === 'object' ? value.map(escaped).join('') : escapeText(String(value))
}

/** A text as it stands in HTML, within an element or the quotes of an attribute. */
export function escapeText(text: string): string {
  return /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, mark => `&#${mark.charCodeAt(0)};`) : text
}

/** Makes a piece of HTML from each entry. The steps are counted in characters, since an entry may have a long name. */
export function htmlInSteps<Entry>(entries: Iterable<Entry>, make: (entry: Entry) => Html): Promise<Html[]> {
  return inSteps(entries, CHARACTERS_AT_ONCE, make, workOf)
}

/** The same steps for nested pieces: waits if too much was made in one turn. */
export function htmlPacing(): (piece: Html) => Promise<void> | undefined {
  const pace = pacing(CHARACTERS_AT_ONCE)
  return piece => pace(workOf(piece))
}

function workOf({ text }: Html): number {
  return PIECE_WORK + text.length
}

/** Some two milliseconds' work, if all of them are escaped. */
const CHARACTERS_AT_ONCE = 128 << 10
/** The work for a piece besides its characters, as a number of characters. */
const PIECE_WORK = 500
