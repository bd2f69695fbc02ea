import { colorKeyOf, isOnlyLabels, namesValue, replaceValues, valueColumn, valuesIn } from '#brand/styles/notation.ts'
import { listIn } from '#platform/base/object.ts'
import { isNamed, type Prop, propsOf, roleOf } from './props.ts'
import type { Row } from './tables.ts'

/** Rows of a table that neighbours continue, and the props that they do not say. */
export type Rows = { rows: Row[]; rest: Prop[]; became: string }

/** Whether the name of an element says that it has colours. */
export function namesColors(name: string): boolean {
  return COLOR_WORDS.some(word => name.toLowerCase().includes(word))
}

const COLOR_WORDS = ['color', 'colour', 'swatch', 'palette']

/** The colours of an element by column: those of a list in a prop, or one. */
export function colorsOf(name: string, props: readonly Prop[]): Rows | undefined {
  const became = 'a table of colours'
  for (const prop of props) {
    const rows = recordsIn(prop).map(colorOf)
    const isList = rows.length > 0 && rows.every(isColor)
    if (isList) return { rows, rest: props.filter(other => other !== prop), became }
  }
  // <Swatch name="Sea" hex="#0B3C5D" size="lg" />
  const row = colorOf(props)
  const isMeant = namesColors(name) || props.some(prop => namesValue(prop.name))
  const rest = props.filter(prop => cellsOf(prop).length === 0)
  return isMeant && isColor(row) && row.size > 1 ? { rows: [row], rest, became } : undefined
}

/** The records of `[{ name: 'Sea', hex: '#0B3C5D' }]` and of `{ Sea: '#0B3C5D' }`. */
function recordsIn(prop: Prop): Prop[][] {
  const pairs = isNamed(prop.value) ? Object.entries(prop.value).map(([name, value]) => ({ name, value })) : []
  return [...listIn(prop.value), ...pairs].map(item => (isNamed(item) ? propsOf(item, prop) : []))
}

function isColor(color: Row): boolean {
  return color.keys().some(column => valueColumn(column) !== undefined)
}

/** A colour by column: its own props, and pairs such as `{name: 'RGB', value: '0, 0, 0'}`. */
function colorOf(props: readonly Prop[]): Row {
  return new Map(props.flatMap(cellsOf))
}

/** The values that a prop has, with their columns. */
function cellsOf(prop: Prop): [column: string, value: string][] {
  const pairs = listIn(prop.value).map(pair => (isNamed(pair) ? Object.values(pair) : []))
  return [[prop.name, prop.value], ...pairs].flatMap(([name, value]) => {
    const isText = typeof name === 'string' && typeof value === 'string' && value !== ''
    return isText ? columnsOf({ ...prop, name, value }).map((column): [string, string] => [column, value]) : []
  })
}

/** The heading of the column for a value: that of its system, `Name`, or the name of the prop, if it is known. */
function columnsOf(prop: Prop & { value: string }): string[] {
  const { name, value } = prop
  const system = isOnlyLabels(replaceValues(value, ' ')) ? [...valuesIn(value).keys()] : []
  const keys = [roleOf(prop), colorKeyOf(name)].filter(key => key !== undefined)
  const isName = keys[0] === 'title' || keys.at(-1) === 'name'
  const heading = isName ? 'Name' : `${name.charAt(0).toUpperCase()}${name.slice(1)}`
  return [valueColumn(name) ?? [], system, keys.map(() => heading)].flat().slice(0, 1)
}
