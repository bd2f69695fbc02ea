import { PRINT_KEYS, valueName } from '#brand/color.ts'
import { type FieldChange, fieldChanges } from '#brand/content-diff.ts'
import { isObject, pick } from '#platform/base/object.ts'
import { type Html, html, type Word } from '../../html.ts'
import type { Words } from '../../words/words.ts'

/** The values in which two versions of a style, a file or settings differ, each before and after; undefined for only one. */
export function changedValues<Item extends object>(
  words: Words,
  { before, after }: { before?: Item | undefined; after?: Item | undefined },
  valuesOf: (item: Item) => object = item => item,
): Html | undefined {
  if (!before || !after) return undefined
  const changes = new Map(valueChanges(valuesOf(before), valuesOf(after)))
  // The same value in another form.
  if (changes.has('hex')) changes.delete('rgb')
  if (changes.size === 0) return undefined
  const labels = labelsIn(words)
  const rows = Array.from(changes, ([key, change]) => {
    const label = labels.get(key) ?? html`<code dir="ltr">${key}</code>`
    return html`<dt>${label}</dt>\n${valuesHtml(key, change)}`
  })
  return html`<dl class="facts">\n${rows}</dl>\n`
}

/** The values of objects are compared on their own, such as `theme.accent`. */
function valueChanges(before: object, after: object, prefix = ''): [string, FieldChange][] {
  return Object.entries(fieldChanges(before, after)).flatMap(([name, change]) => {
    const { from, to } = change
    const key = prefix + name
    return isObject(from) && isObject(to) ? valueChanges(from, to, `${key}.`) : [[key, change]]
  })
}

function valuesHtml(key: string, { from, to }: FieldChange): Html {
  const value = (given: unknown) => html`<bdi>${valueText(given)}${UNITS.get(key)}</bdi>`
  return html`<dd>${from !== null && html`<del>${value(from)}</del> `}${to !== null && html`<ins>${value(to)}</ins>`}</dd>\n`
}

const PX = '\u00a0px'
const EM = '\u00a0em'
const UNITS = new Map(Object.entries({ size: PX, minWidth: PX, tracking: EM, spacing: EM, proportion: '\u00a0%' }))

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(', ')
  if (!isObject(value)) return `${value}`
  return Object.entries(value)
    .map(([name, part]) => `${name} ${valueText(part)}`)
    .join(', ')
}

/** The names of values as on the website, keyed as in the brand folder. */
function labelsIn({ type, colors, files, changes, fields }: Words): ReadonlyMap<string, Word> {
  const { use, group, name, description } = changes
  const { weightLabel: weight, slant: style, sampleLabel: sample, size } = type
  const { ground, medium } = files.uses
  const sameKeys = [
    'family',
    'size',
    'leading',
    'tracking',
    'casing',
    'spacing',
    'features',
    'axes',
    'fallback',
  ] as const
  return new Map<string, Word>([
    ...Object.entries({
      ...pick(type, sameKeys),
      weight,
      style,
      sample,
      bytes: size,
      use,
      group,
      name,
      title: name,
      description,
    }),
    ...Object.entries({ ground, medium, territory: files.territory, path: files.file, id: files.address }),
    ...Object.entries({ hex: 'Hex', rgb: 'RGB', on: colors.pairs, proportion: colors.proportions, dark: fields.dark }),
    ...PRINT_KEYS.map(key => [key, valueName(key).label] as const),
  ])
}
