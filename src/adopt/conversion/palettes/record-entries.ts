import { colorKeyOf, namesValue } from '#brand/styles/notation.ts'
import { isObject, type Json, type JsonObject, jsonText } from '#formats/json/json.ts'
import { listIn } from '#platform/base/object.ts'
import { spreadValues } from './spread-values.ts'

export type Entry = readonly [key: string, value: Json]

/**
 * The entries of a record of data: pairs in a list become entries, such as `rows: [['CMYK', '30 0 90 0']]`, and a string
 * with several values of a colour becomes one for each. Channels become a string.
 */
export function recordEntries(record: JsonObject): Entry[] {
  const entries = fieldEntries(record).flatMap(
    ([key, value]): Entry[] => pairsIn(value) ?? [[key, channelsText(value)]],
  )
  const isText = ([key, value]: Entry) => typeof value === 'string' && colorKeyOf(key) !== 'name'
  const texts = entries.filter(isText)
  const row = texts.map(([, text]) => jsonText(text))
  const { header, rows } = spreadValues({ header: texts.map(([key]) => key), rows: [row] })
  const [cells = []] = rows
  const spread = header.map((key, at): Entry => [key, cells[at] ?? ''])
  return [...entries.filter(entry => !isText(entry)), ...spread]
}

/** The entries of a record, with the entries of systems in it instead of these: `pantone: {coated: '3025 C'}`, `print: {cmyk: '0 80 90 0'}`. */
export function fieldEntries(record: JsonObject): Entry[] {
  return [...record].flatMap(([key, value]): Entry[] => {
    const parts = namesValue(key) && isGroup(value) ? [...value] : []
    const labelled = parts.map(([label, part]) => [fieldLabel(key, label), part] as const)
    return parts.length > 0 && labelled.every(([label]) => namesValue(label)) ? labelled : [[key, value]]
  })
}

/** A label, with its system before it if the two name a value together. */
function fieldLabel(system: string, label: string): string {
  const whole = `${system} ${label}`
  return namesValue(whole) ? whole : label
}

/** The pairs in a list of labels with values, at least one of which names a value; undefined for other values. */
function pairsIn(value: Json): Entry[] | undefined {
  const pairs = listIn(value).map(item => (isObject(item) ? [...item.values()] : listIn(item)))
  const isPairs = pairs.every(pair => pair.length === 2 && typeof pair[0] === 'string')
  const entries = pairs.map(([label = '', text = '']): Entry => [jsonText(label), channelsText(text)])
  return isPairs && entries.some(([label]) => colorKeyOf(label) !== undefined) ? entries : undefined
}

/** Numbers in a list or by channel as one string, such as `18, 67, 109`; any other value as it is. */
export function channelsText(value: Json): Json {
  const parts = isObject(value) && hasChannels(value) ? [...value.values()] : listIn(value)
  return parts.length > 0 && parts.every(part => /^[\d.]+%?$/.test(String(part))) ? parts.join(', ') : value
}

/** Whether a value has names instead of the channels of a colour. */
export function isGroup(value: Json): value is JsonObject {
  return isObject(value) && channelsText(value) === value
}

function hasChannels(value: JsonObject): boolean {
  return value.keys().every(key => (colorKeyOf(key) ?? key).length === 1)
}
