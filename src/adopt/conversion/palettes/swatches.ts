import { pantoneKind } from '#brand/styles/pantone.ts'
import { addNote, type FoundStyle, type FoundStyles, type Notes } from '#brand/tokens/found-styles.ts'
import { readCssColor, type ScreenColor } from '#formats/css/css-color.ts'
import { hexText } from '#formats/css/hex.ts'
import type { Json } from '#formats/json/json.ts'
import { readAco } from '#formats/palette/aco.ts'
import { readAse, type Swatch } from '#formats/palette/ase.ts'
import type { Gpl } from '#formats/palette/gpl.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { ok, type Result } from '#platform/base/result.ts'

/**
 * The colours in a file of swatches (.ase, .aco) in RGB, CMYK, Gray, LAB or HSB; those with only print values have no
 * `hex`. Undefined for other bytes.
 */
export function swatchColors(bytes: Uint8Array, notes: Notes): Result<FoundStyles, string> | undefined {
  const file = readAse(bytes) ?? readAco(bytes)
  if (!file?.ok) return file
  const { swatches, unknown } = file.value
  for (const [number, type] of unknown) addNote(notes, `block ${number}`, 'unknownBlock', type.toString(16))
  return ok(swatchStyles(swatches, notes))
}

/** The colours of the swatches of a file. */
export function swatchStyles(swatches: readonly Swatch[], notes: Notes): FoundStyles {
  return { colors: colorsOf(swatches, notes), types: [], notes }
}

/** The opaque colours of a palette. One without a name is named by its hex. */
export function paletteColors({ comments, colors, hasAlpha }: Gpl, notes: Notes): FoundStyles {
  for (const comment of comments) addNote(notes, comment, 'comment')
  const read = colors.flatMap(({ line, name, channels }) => {
    const subject = { name: name || `line ${line}`, line }
    const [red = 0, green = 0, blue = 0, alpha = 0] = channels ?? []
    const hex = hexText([red, green, blue])
    if (channels && alpha === 255) return [{ name: UNNAMED.has(name) ? hex : name, fields: new Map([['hex', hex]]) }]
    if (channels) addNote(notes, subject, 'notOpaque')
    else addNote(notes, { ...subject, name: `line ${line}` }, 'noChannels', hasAlpha ? 'four' : 'three')
    return []
  })
  return { colors: read, types: [], notes }
}

/** The names of a colour without one. */
const UNNAMED: ReadonlySet<string> = new Set(['', 'Untitled'])

/** The colours of swatches. The groups in an export of a guide state how a colour is made, and are no groups of it. */
function colorsOf(swatches: readonly Swatch[], notes: Notes): FoundStyle[] {
  const named = (name: string) => new Set(swatches.flatMap(swatch => (swatch.group === name ? [swatch.name] : [])))
  const [screen, print] = [named('screen'), named('print')]
  const isOwn = swatches.every(({ group, name, model, isSpot }) => {
    if (group === 'print') return model === 'CMYK' && (screen.has(name) || PRINT.test(name))
    return group === 'screen' || INK_GROUPS.get(group) === isSpot
  })
  if (!isOwn) return swatches.flatMap(swatch => colorOf(swatch, notes))
  for (const group of new Set(swatches.map(each => each.group))) addNote(notes, group, 'groupOfExport')
  const screenName = screenNames(screen, print)
  const [inks = [], others = []] = [true, false].map(isInk =>
    swatches.filter(({ group }) => INK_GROUPS.has(group) === isInk),
  )
  const colors = others.flatMap(({ name, ...swatch }) =>
    colorOf({ ...swatch, group: '', name: swatch.group === 'print' ? screenName(name) : name }, notes),
  )
  const read = inks.flatMap(swatch => colorOf({ ...swatch, group: '' }, notes))
  return [...colors, ...inksOf(colors, read, notes)]
}

/** The groups of an export with references to inks, and whether these are spot colours. */
const INK_GROUPS: ReadonlyMap<string, boolean> = new Map([
  ['spot', true],
  ['process', false],
])

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
  if (['RGB', 'CMYK', 'GRAY'].includes(model) && !values.every(isShare)) {
    addNote(notes, subject, 'outOfRange', model)
    return []
  }
  const color = screenColorOf(model, values)
  const cmyk = model === 'CMYK' ? values.map(value => Number((value * 100).toFixed(3))).join(',') : undefined
  if (color === undefined && cmyk === undefined) {
    const channels = values.map(value => Number(value.toFixed(4))).join(', ')
    addNote(notes, subject, 'noScreenModel', `${model} ${channels}`.trim())
    return []
  }
  if (color?.isMapped) addNote(notes, `${subject} (${color.hex})`, 'mapped')
  const pms = PANTONE.test(name) && (isSpot || pantoneKind(name) === 'process') ? name : undefined
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
  const isLab = model === 'LAB' && isShare(first)
  return isLab ? readCssColor(`lab(${(first * 100).toFixed(4)} ${second} ${third})`) : undefined
}

function isShare(value: number): boolean {
  return value === Math.min(1, Math.max(0, value))
}

const PANTONE = /^(?:PANTONE|PMS)(?!\p{L})/iu
