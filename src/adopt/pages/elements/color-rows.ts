import { colorKeyOf, isOnlyLabels, namesValue, replaceValues, valueColumn, valuesIn } from '#brand/styles/notation.ts'
import { listIn } from '#platform/base/object.ts'
import { isNamed, type Prop, propsOf, roleOf } from './props.ts'
import type { Row } from './tables.ts'

/** Rows of a table that neighbours continue, and the props that they do not say. */
export type Rows = { rows: Row[]; rest: Prop[]; became: string }

/** Whether the name of an element says that it has colours. */
export function namesColors(name: string): boolean {
  return /colou?r|swatch|palette/i.test(name)
}

/** The colours of an element by column: those of a list in a prop, or one. */
export function colorsOf(name: string, props: readonly Prop[]): Rows | undefined {
  const became = 'a table of colours'
  const lists = props.map(prop => ({ prop, rows: recordsIn(prop).map(colorOf) }))
  const list = lists.find(({ rows }) => rows.length > 0 && rows.every(isColor))
  if (list) return { rows: list.rows, rest: props.filter(prop => prop !== list.prop), became }
  // <Swatch name="Sea" hex="#0B3C5D" size="lg" />
  const row = colorOf(props)
  const isMeant = namesColors(name) || props.some(prop => namesValue(prop.name))
  const rest = props.filter(prop => columnOf(prop) === undefined && pairsIn(prop).length === 0)
  return isMeant && isColor(row) && row.size > 1 ? { rows: [row], rest, became } : undefined
}

/** The records of `[{ name: 'Sea', hex: '#0B3C5D' }]` and of `{ Sea: '#0B3C5D' }`. */
function recordsIn(prop: Prop): Prop[][] {
  const pairs = isNamed(prop.value) ? Object.entries(prop.value).map(([name, value]) => ({ name, value })) : []
  return [...listIn(prop.value ?? ''), ...pairs].map(item => (isNamed(item) ? propsOf(item, prop) : []))
}

function isColor(color: Row): boolean {
  return color.keys().some(column => valueColumn(column) !== undefined)
}

/** A colour by column: its own props, and pairs such as `{name: 'RGB', value: '0, 0, 0'}`. */
function colorOf(props: readonly Prop[]): Row {
  const cells = props.flatMap(prop => [prop, ...pairsIn(prop)]).map(prop => [columnOf(prop), `${prop.value}`] as const)
  return new Map(cells.flatMap(([column, value]) => (column === undefined ? [] : [[column, value]])))
}

function pairsIn(prop: Prop): Prop[] {
  return listIn(prop.value ?? '').flatMap(pair => {
    const [name, value] = isNamed(pair) ? Object.values(pair) : []
    return typeof name === 'string' && typeof value === 'string' ? [{ ...prop, name, value }] : []
  })
}

/** The heading of the column for a value: that of its system, `Name`, or the name of the prop, which begins with a capital. */
function columnOf(prop: Prop): string | undefined {
  const { name, value } = prop
  if (typeof value !== 'string' || value === '') return undefined
  const [system] = isOnlyLabels(replaceValues(value, ' ')) ? valuesIn(value).keys() : []
  const key = roleOf(prop) === 'title' ? 'name' : (colorKeyOf(name) ?? roleOf(prop))
  const heading = key === 'name' ? 'Name' : name.replace(/^./, first => first.toUpperCase())
  return valueColumn(name) ?? system ?? (key && heading)
}
