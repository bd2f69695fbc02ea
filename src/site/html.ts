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
  let text = '' // Joined with `+`, long texts are not copied for each template that they stand in.
  for (let at = 0; at < strings.length; at++) text += strings[at] + escaped(values[at])
  return new Html(text)
}

function escaped(value: Part): string {
  if (value === undefined || value === false) return ''
  if (value instanceof Html) return value.text
  if (typeof value !== 'object') return escapeText(String(value))
  let text = ''
  for (const part of value) text += escaped(part)
  return text
}

/** A text as it stands in HTML, within an element or the quotes of an attribute. */
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
