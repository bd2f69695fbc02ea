import { valueColumn } from '#brand/styles/notation.ts'
import { listIn } from '#platform/base/object.ts'
import { isLayout, isNamed, type Prop, propsOf } from './props.ts'

/** A row of a table that neighbours continue, by column: a colour, or what to do or not to do. */
export type Row = ReadonlyMap<string, string>
export type Rows = { rows: Row[]; rest: Prop[]; became: string }

/** Words in the names of elements with colours. */
export const COLOR = /colou?r|swatch|palette/i

/** The colours of an element by column: those of a list in a prop, or one. */
export function colorsOf(name: string, props: Prop[]): Rows | undefined {
  if (!COLOR.test(name)) return undefined
  const became = 'a table of colours'
  for (const prop of props) {
    // colors={[{ name: 'Sea', hex: '#0B3C5D' }]} or colors={{ Sea: '#0B3C5D' }}
    const pairs = isNamed(prop.value) ? Object.entries(prop.value).map(([key, value]) => ({ name: key, value })) : []
    const items = Array.isArray(prop.value) ? prop.value : pairs
    const rows = items.map(item => colorOf(isNamed(item) ? propsOf(item, prop) : []))
    if (rows.length > 0 && rows.every(isColor)) return { rows, rest: props.filter(other => other !== prop), became }
  }
  // <Swatch name="Sea" hex="#0B3C5D" size="lg" />
  const colorProps = props.filter(prop => !isLayout(prop.name, prop.value))
  const row = colorOf(colorProps)
  const rest = props.filter(
    prop => !colorProps.includes(prop) || typeof prop.value === 'boolean' || isNamed(prop.value),
  )
  return isColor(row) && row.size > 1 ? { rows: [row], rest, became } : undefined
}

function isColor(color: Row): boolean {
  return color.keys().some(column => valueColumn(column) !== undefined)
}

/** A colour by column: its own props, and pairs such as `{name: 'RGB', value: '0, 0, 0'}`. */
function colorOf(props: readonly Prop[]): Row {
  const row = new Map<string, string>()
  for (const { name, value } of props) {
    if (typeof value === 'string' && value !== '') row.set(columnOf(name, value), value)
    for (const pair of listIn(value)) {
      const [key, text] = typeof pair === 'object' ? Object.values(pair) : []
      if (typeof key === 'string' && typeof text === 'string') row.set(columnOf(key, text), text)
    }
  }
  return row
}

/** The heading of the column for a value: by its form, or by its name, which begins with a capital there. */
function columnOf(name: string, value: string): string {
  if (/^#[\da-f]{3,8}$/i.test(value)) return 'Hex'
  if (/^rgba?\([\d\s,.%/]+\)$/i.test(value)) return 'RGB'
  if (/^(?:name|title|label)$/.test(name)) return 'Name'
  return valueColumn(name) ?? name.replace(/^./, first => first.toUpperCase())
}
