/** Text that is safe to stand in a page: made only by `html`, which escapes what it is given. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | false | undefined | readonly Part[]

/** A template that escapes every value but pieces of HTML that it made itself. */
export function html(strings: TemplateStringsArray, ...values: readonly Part[]): Html {
  return new Html(strings.map((string, at) => string + escaped(values[at])).join(''))
}

function escaped(value: Part): string {
  if (value === undefined || value === false) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map(escaped).join('')
  return String(value).replace(/[&<>"']/g, mark => `&#${mark.charCodeAt(0)};`)
}
