import { valueColumn } from '#brand/styles/notation.ts'
import { isObject, type JsonObject } from '#formats/json/json.ts'
import { isGroup } from './record-entries.ts'

/**
 * Turns data that has systems outside and names inside into records, as lists of colours have them:
 * `{hex: {sea: '#0b4f6c'}, pms: {sea: '3025 C'}}` becomes `{sea: {hex: '#0b4f6c', pms: '3025 C'}}`, also if names are in
 * groups, and if the values for screens have no system above them. Returns the same object if it has no such parts.
 */
export function withNamesOutside(data: JsonObject): JsonObject {
  const entries = Array.from(data, ([key, value]) => [key, isObject(value) ? withNamesOutside(value) : value] as const)
  const systems = entries.flatMap(([key, value]) => (valueColumn(key) && isGroup(value) ? [{ key, group: value }] : []))
  const others: JsonObject = new Map(entries.filter(([key]) => !systems.some(system => system.key === key)))
  const names = [...others.keys(), ...systems.flatMap(({ group }) => [...group.keys()])]
  if (new Set(names).size < names.length)
    return systems.reduce((records, { key, group }) => addValues(records, group, key), others)
  return entries.every(([key, value]) => data.get(key) === value) ? data : new Map(entries)
}

/** Adds the values of a system to the records of their names. A bare value is for screens. */
function addValues(records: JsonObject, group: JsonObject, system: string): JsonObject {
  const added = Array.from(group, ([name, value]) => {
    const before = records.get(name) ?? new Map()
    const record = isObject(before) ? before : new Map([['hex', before]])
    return [name, isGroup(value) ? addValues(record, value, system) : new Map([...record, [system, value]])] as const
  })
  return new Map([...records, ...added])
}
