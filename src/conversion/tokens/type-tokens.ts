import { withoutUndefined } from '../../base/object.ts'
import { addNote, type FoundStyle, type Notes } from '../found-styles.ts'
import { isObject, type Json } from '../json.ts'
import { nameTypes } from './token-names.ts'
import type { ResolvedToken } from './token-references.ts'
import { type Authored, authoredValues, nameOf } from './token-tree.ts'
import { propertyOf, type TypeProperty, typeFieldsOf } from './type-values.ts'

/** The tokens of one type style: a typography token, or several tokens for single properties. */
type Written = { token: ResolvedToken; values: Map<TypeProperty, Json>; authored?: Authored }

/** Makes type styles from whole tokens and from parts such as `fontSize.body`. `left` are those without a style. */
export function typeStyles(
  wholes: readonly ResolvedToken[],
  parts: readonly ResolvedToken[],
  notes: Notes,
): { types: FoundStyle[]; left: ResolvedToken[] } {
  const gathered = gatherParts(parts)
  const gatheredStyles = [...wholes.flatMap(token => wholeStyle(token, notes)), ...gathered.styles]
  const names = nameTypes(gatheredStyles.map(({ token }) => token))
  const types = gatheredStyles.map(({ token, values, authored }, at) => {
    const subject = nameOf(token.path)
    const fields = typeFieldsOf(values, problem => addNote(notes, subject, problem))
    const name = names[at] ?? subject
    if (authored) return { name, ...authored, fields: mergeAuthored(fields, authored.fields, values) }
    if (token.description !== undefined) addNote(notes, subject, 'type styles have no description; left out')
    return { name, fields }
  })
  return { types, left: gathered.left }
}

/** Token values win over authored ones if another tool changed them. They are rounded, and 0 for an absent tracking. */
function mergeAuthored(
  fields: ReadonlyMap<string, Json>,
  authored: ReadonlyMap<string, Json>,
  values: ReadonlyMap<TypeProperty, Json>,
): Map<string, Json> {
  const both = new Map(authored)
  const families = values.get('fontFamily')
  const isFamilyKept = authored.get('family') === (Array.isArray(families) ? families[0] : families)
  for (const [key, value] of fields) {
    const before = authored.get(key)
    if (key === 'tracking' && value === 0 && before === undefined) continue
    if (isFamilyKept && (key === 'family' || key === 'fallback')) continue
    if (!isNear(before, value)) both.set(key, value)
  }
  return both
}

function isNear(before: Json | undefined, value: Json): boolean {
  if (typeof before !== 'number' || typeof value !== 'number') return before === value
  return Math.abs(before - value) <= ROUNDING * Math.max(1, Math.abs(before))
}

const ROUNDING = 0.001

/** The property that a token sets, and the path of its style. */
export function partOf({ type = '', path }: ResolvedToken): { property: TypeProperty; style: string[] } | undefined {
  const [first = '', last = ''] = [path[0], path.at(-1)]
  const isPlain = ['', 'dimension', 'number', 'string', 'other'].includes(type)
  const byType = isPlain ? undefined : propertyOf(type)
  const byFirst = propertyOf(first)
  const byLast = path.length > 1 ? propertyOf(last) : undefined
  const property = byType ?? (isPlain ? (byFirst ?? byLast) : undefined)
  if (property === undefined) return undefined
  if (byFirst === property && path.length > 1) return { property, style: path.slice(1) }
  return { property, style: byLast === property ? path.slice(0, -1) : [...path] }
}

function wholeStyle(token: ResolvedToken, notes: Notes): Written[] {
  if (!isObject(token.value)) {
    addNote(notes, nameOf(token.path), 'has no value with the parts of a type style; left out')
    return []
  }
  const values = new Map<TypeProperty, Json>()
  for (const [key, value] of token.value) {
    const property = propertyOf(key)
    if (property === undefined)
      addNote(notes, nameOf([...token.path, key]), 'type styles do not support this; left out')
    else values.set(property, value)
  }
  return [writtenStyle(token, values, [token])]
}

function gatherParts(parts: readonly ResolvedToken[]): { styles: Written[]; left: ResolvedToken[] } {
  const typeParts = parts.flatMap(token => {
    const part = partOf(token)
    return part ? [{ token, ...part }] : []
  })
  const styles: Written[] = []
  const left: ResolvedToken[] = []
  for (const group of Map.groupBy(typeParts, ({ token, style }) => JSON.stringify([token.set, style])).values()) {
    const values = new Map(group.map(({ property, token }) => [property, token.value]))
    const tokens = group.map(({ token }) => token)
    const [first] = group
    const style = first && writtenStyle({ ...first.token, path: first.style }, values, tokens)
    const isStyle = values.size > 1 && (values.has('fontFamily') || values.has('fontSize'))
    if (style && (isStyle || style.authored)) styles.push(style)
    else left.push(...tokens)
  }
  return { styles, left }
}

function writtenStyle(
  token: ResolvedToken,
  values: Map<TypeProperty, Json>,
  tokens: readonly ResolvedToken[],
): Written {
  const [authored, ...more] = tokens.flatMap(each => authoredValues(each) ?? [])
  for (const { fields } of more) for (const [key, value] of fields) authored?.fields.set(key, value)
  return withoutUndefined({ token, values, authored })
}
