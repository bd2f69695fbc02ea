import { addNote, type FoundStyle, type FoundStyles, type Notes } from '#brand/tokens/found-styles.ts'
import { hexText, readCssColor, type ScreenColor } from '#formats/css/css-color.ts'
import type { Json } from '#formats/json/json.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { quote } from '#platform/base/text.ts'

/**
 * Reads a file of swatches in RGB, CMYK, Gray or LAB; those with only print values have no `hex`. Undefined for other
 * bytes. The file states the number of its blocks and the length of each.
 */
export function readAse(bytes: Uint8Array, notes: Notes): Result<FoundStyles, string> | undefined {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!data.toString('latin1', 0, SIGNATURE.length).startsWith(SIGNATURE)) return undefined
  if (data.length < HEADER) return failed('is cut short: its header is incomplete')
  const count = data.readUInt32BE(8)
  const swatches: Swatch[] = []
  const groups: string[] = []
  for (let [number, at] = [1, HEADER]; number <= count; number++) {
    const start = at + BLOCK_HEADER
    const end = start > data.length ? Number.POSITIVE_INFINITY : start + data.readUInt32BE(at + 2)
    if (end > data.length) return failed(`is cut short: block ${number} of ${count} is incomplete`)
    const [type, body] = [data.readUInt16BE(at), data.subarray(start, end)]
    at = end
    if (type === GROUP_START) {
      const name = readName(body)
      if (name === undefined) return failed(`is damaged: the name of group ${number} is longer than its block`)
      if (groups.push(name.text) > MAX_GROUPS)
        return failed(`has groups nested more than ${MAX_GROUPS} deep; flatten them`)
    } else if (type === GROUP_END) groups.pop()
    else if (type === COLOR) {
      const swatch = readSwatch(body, groups.join(' / '))
      if (swatch === undefined) return failed(`is damaged: the colour in block ${number} is longer than its block`)
      swatches.push(swatch)
    } else addNote(notes, `block ${number}`, 'unknownBlock', type.toString(16))
  }
  return ok({ colors: colorsOf(swatches, notes), types: [], notes })
}

const SIGNATURE = 'ASEF'
/** Programs do not nest groups; here the name of a nested group joins the names of all its groups. */
const MAX_GROUPS = 32
/** Signature, version and number of blocks. */
const HEADER = 12
const BLOCK_HEADER = 6
const [COLOR, GROUP_START, GROUP_END] = [0x0001, 0xc001, 0xc002]

/** A name is a length in UTF-16 units, including the final NUL, and the units. Undefined if it is cut short. */
function readName(body: Buffer): { text: string; end: number } | undefined {
  if (body.length < 2) return undefined
  const end = 2 + body.readUInt16BE(0) * 2
  if (end > body.length) return undefined
  const text = new TextDecoder('utf-16be', { ignoreBOM: true }).decode(body.subarray(2, end))
  return { text: text.replace(/\0+$/, '').trim(), end }
}

export type Swatch = { name: string; group: string; model: string; values: readonly number[]; isSpot: boolean }

const CHANNELS: Readonly<Record<string, number>> = { 'RGB ': 3, CMYK: 4, Gray: 1, GRAY: 1, 'LAB ': 3, 'Lab ': 3 }
const SPOT = 1

/** Undefined if it is cut short. The last two bytes are the colour type; some programs omit them. */
function readSwatch(body: Buffer, group: string): Swatch | undefined {
  const name = readName(body)
  if (name === undefined || name.end + 4 > body.length) return undefined
  const model = body.toString('latin1', name.end, name.end + 4)
  const start = name.end + 4
  const end = start + (Object.hasOwn(CHANNELS, model) ? (CHANNELS[model] ?? 0) : 0) * 4
  if (end > body.length) return undefined
  const values: number[] = []
  for (let at = start; at < end; at += 4) values.push(body.readFloatBE(at))
  const isSpot = end + 2 <= body.length && body.readUInt16BE(end) === SPOT
  return { name: name.text, group, model: model.trim().toUpperCase(), values, isSpot }
}

/** The colours of swatches. The groups in an export of a guide state how a colour is made, and are no groups of it. */
export function colorsOf(swatches: readonly Swatch[], notes: Notes): FoundStyle[] {
  const named = (name: string) => new Set(swatches.flatMap(swatch => (swatch.group === name ? [swatch.name] : [])))
  const [screen, print] = [named('screen'), named('print')]
  const isOwn = swatches.every(({ group, name, model, isSpot }) => {
    if (group === 'print') return model === 'CMYK' && (screen.has(name) || PRINT.test(name))
    return group === 'spot' ? isSpot : group === 'screen'
  })
  if (!isOwn) return swatches.flatMap(swatch => colorOf(swatch, notes))
  for (const group of new Set(swatches.map(each => each.group))) addNote(notes, group, 'groupOfExport')
  const screenName = screenNames(screen, print)
  const [inks = [], others = []] = [true, false].map(isInk =>
    swatches.filter(({ group }) => (group === 'spot') === isInk),
  )
  const colors = others.flatMap(({ name, ...swatch }) =>
    colorOf({ ...swatch, group: '', name: swatch.group === 'print' ? screenName(name) : name }, notes),
  )
  const read = inks.flatMap(swatch => colorOf({ ...swatch, group: '' }, notes))
  return [...colors, ...inksOf(colors, read, notes)]
}

/** The name on screen of a swatch for print; its own name if that could be another colour with the same name. */
function screenNames(screen: ReadonlySet<string>, print: ReadonlySet<string>): (name: string) => string {
  const printed = new Set(Array.from(print, name => name.replace(PRINT, '$1')))
  const others = [...screen].filter(name => !printed.has(name) && SUFFIX.test(name))
  const unclear = new Set(others.map(name => name.replace(SUFFIX, '')))
  return name => {
    const plain = name.replace(PRINT, '$1')
    return screen.has(plain) && !unclear.has(plain) ? plain : name
  }
}

/** An export adds `CMYK` to names for print, and the id in brackets to names that are not unique. */
const PRINT = / CMYK( \([^()]+\))?$/
const SUFFIX = / \([^()]+\)$/

/** Turns inks in an export of a guide into references of the first colours with their values. */
function inksOf(colors: readonly FoundStyle[], inks: readonly FoundStyle[], notes: Notes): FoundStyle[] {
  const owners = new Map<string, string>()
  for (const { name, fields } of colors)
    for (const value of valuesOf(fields)) if (!owners.has(value)) owners.set(value, name)
  const withInk = new Set<string>()
  return inks.flatMap(ink => {
    const [value = ''] = valuesOf(ink.fields)
    const [name, pms] = [owners.get(value), ink.fields.get('pms')]
    if (name === undefined) addNote(notes, ink.name, 'inkWithoutColor')
    else if (pms === undefined) addNote(notes, ink.name, 'otherInk', name)
    if (name === undefined || pms === undefined) return []
    const key = withInk.has(name) ? 'pms2' : 'pms'
    withInk.add(name)
    return { name, fields: new Map([[key, pms]]) }
  })
}

function valuesOf(fields: ReadonlyMap<string, Json>): string[] {
  return ['cmyk', 'hex'].flatMap(key => (fields.has(key) ? [`${key} ${fields.get(key)}`] : []))
}

/** The colour of a swatch; none, with a note, if its model or values are unknown. */
function colorOf({ name, group, model, values, isSpot }: Swatch, notes: Notes): FoundStyle[] {
  const subject = name === '' ? 'a swatch without a name' : name
  if (['RGB', 'CMYK', 'GRAY'].includes(model) && !values.every(value => value >= 0 && value <= 1)) {
    addNote(notes, subject, 'outOfRange', model)
    return []
  }
  const color = screenColorOf(model, values)
  const cmyk = model === 'CMYK' ? values.map(value => Number((value * 100).toFixed(3))).join(',') : undefined
  if (color === undefined && cmyk === undefined) {
    const channels = values.map(value => Number(value.toFixed(4))).join(', ')
    addNote(notes, subject, 'noScreenModel', `${quote(model)} value${channels && ` (${channels})`}`)
    return []
  }
  if (color?.isMapped) addNote(notes, `${subject} (${color.hex})`, 'mapped')
  const pms = isSpot && PANTONE.test(name) ? name.replace(PANTONE, '') : undefined
  const fields = withoutUndefined({ pms, group: group || undefined, hex: color?.hex, cmyk })
  return [{ name: name || (color?.hex ?? ''), fields: new Map(Object.entries(fields)) }]
}

/** The colour of CIELAB, or of HSB as the same whiteness and blackness; L* and the channels of the others are from 0 to 1. */
function screenColorOf(model: string, values: readonly number[]): Pick<ScreenColor, 'hex' | 'isMapped'> | undefined {
  const [red = 0, green = red, blue = red] = values.map(value => Math.round(value * 255))
  if (model === 'RGB' || model === 'GRAY') return { hex: hexText([red, green, blue]), isMapped: false }
  const [first = 0, second = 0, third = 0] = values.map(value => Number(value.toFixed(6)))
  const whiteness = ((1 - second) * third * 100).toFixed(4)
  if (model === 'HSB')
    return readCssColor(`hwb(${(first * 360).toFixed(4)} ${whiteness}% ${((1 - third) * 100).toFixed(4)}%)`)
  const isLab = model === 'LAB' && first >= 0 && first <= 1
  return isLab ? readCssColor(`lab(${(first * 100).toFixed(4)} ${second} ${third})`) : undefined
}

const PANTONE = /^PANTONE(?:\u00ae|\(r\))?[ -]+/i
