import { PRINT_VALUES } from '#brand/color.ts'
import { type FieldChange, fieldChanges } from '#brand/content-diff.ts'
import { type Html, html, type Word } from '../../html.ts'
import type { Words } from '../../words/words.ts'

/** The values in which two versions of a style differ, each before and after. */
export function changedValues(words: Words, before: object, after: object): Html | undefined {
  const changes = new Map(Object.entries(fieldChanges(before, after)))
  if (changes.has('hex')) changes.delete('rgb')
  if (changes.size === 0) return undefined
  const rows = Array.from(changes, ([key, change]) => html`<dt>${labelOf(words, key)}</dt>\n${valuesHtml(key, change)}`)
  return html`<dl class="facts values">\n${rows}</dl>\n`
}

function valuesHtml(key: string, { from, to }: FieldChange): Html {
  const value = (given: unknown) => html`<bdi>${textOf(given)}${UNITS.get(key)}</bdi>`
  const old = from !== null && html`<del>${value(from)}</del> `
  return html`<dd>${old}<span aria-hidden="true">→</span> ${to === null ? '–' : html`<ins>${value(to)}</ins>`}</dd>\n`
}

const UNITS: ReadonlyMap<string, string> = new Map([
  ['size', '\u00a0px'],
  ['tracking', '\u00a0em'],
  ['spacing', '\u00a0em'],
  ['proportion', '\u00a0%'],
])

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ')
  if (typeof value !== 'object' || value === null) return `${value}`
  return Object.entries(value)
    .map(([name, part]) => `${name} ${part}`)
    .join(', ')
}

/** The name of a value as on the website; the key of the brand folder if it has none. */
function labelOf({ type }: Words, key: string): Html {
  const labels = new Map<string, Word>([
    ['hex', 'HEX'],
    ['rgb', 'RGB'],
    ...Object.entries(PRINT_VALUES).map(([name, { label }]) => [name, label] as const),
    ['family', type.family],
    ['weight', type.weightLabel],
    ['style', type.slant],
    ['size', type.size],
    ['leading', type.leading],
    ['tracking', type.tracking],
    ['casing', type.casing],
    ['spacing', type.spacing],
    ['sample', type.sampleLabel],
  ])
  const label = labels.get(key)
  return label === undefined ? html`<code dir="ltr">${key}</code>` : html`${label}`
}
