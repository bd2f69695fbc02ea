import { pantoneKind } from '#brand/styles/pantone.ts'
import { addNote, type FoundStyle, type FoundStyles, type Notes } from '#brand/tokens/found-styles.ts'
import { readCssColor } from '#formats/css/css-color.ts'
import { hexText } from '#formats/css/hex.ts'
import type { Json } from '#formats/json/json.ts'
import { readAco } from '#formats/palette/aco.ts'
import { readAse, type Swatch } from '#formats/palette/ase.ts'
import type { Gpl } from '#formats/palette/gpl.ts'
import { ok, type Result } from '#platform/base/result.ts'
import { wordSet, wordTable } from '#platform/base/text.ts'

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
    if (channels === undefined) {
      addNote(notes, { name: `line ${line}`, line }, 'noChannels', hasAlpha ? 'four' : 'three')
      return []
    }
    const [red = 0, green = 0, blue = 0, alpha] = channels
    const hex = hexText([red, green, blue])
    if (alpha === MAX) return [{ name: UNNAMED.has(name) ? hex : name, fields: new Map([['hex', hex]]) }]
    addNote(notes, { name: name || `line ${line}`, line }, 'notOpaque')
    return []
  })
  return { colors: read, types: [], notes }
}

/** The names of a colour without one. */
const UNNAMED: ReadonlySet<string> = new Set(['', 'Untitled'])

/** The colours of swatches. The groups in an export of a guide state how a colour is made, and are no groups of it. */
function colorsOf(swatches: readonly Swatch[], notes: Notes): FoundStyle[] {
  const isOwn = swatches.every(swatch => GROUPS.get(swatch.group)?.(swatch))
  if (!isOwn) return swatches.flatMap(swatch => colorOf(swatch, notes))
  for (const group of new Set(swatches.map(each => each.group))) addNote(notes, group, 'groupOfExport')
  const named = (name: string) => new Set(swatches.filter(({ group }) => group === name).map(({ name }) => name))
  const screenName = screenNames(named('screen'), named('print'))
  const { inks = [], others = [] } = Object.groupBy(swatches, ({ group }) => (OF_INKS.has(group) ? 'inks' : 'others'))
  const colors = others.flatMap(({ name, ...swatch }) =>
    colorOf({ ...swatch, group: '', name: swatch.group === 'print' ? screenName(name) : name }, notes),
  )
  const read = inks.flatMap(swatch => colorOf({ ...swatch, group: '' }, notes))
  return [...colors, ...inksOf(colors, read, notes)]
}

/** The groups of an export, and whether a swatch may be in one. */
const GROUPS: ReadonlyMap<string, (swatch: Swatch) => boolean> = new Map<string, (swatch: Swatch) => boolean>([
  ['screen', () => true],
  ['print', ({ model }) => model === 'CMYK'],
  ['spot', ({ isSpot }) => isSpot],
  ['process', ({ isSpot }) => !isSpot],
])

/** The groups with references to inks. */
const OF_INKS = wordSet('spot process')

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
  const places = colors.flatMap(({ name, fields }) => valuesOf(fields).map(value => [value, name] as const))
  const owners = new Map(places.toReversed())
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
  return ['cmyk', 'hex'].filter(key => fields.has(key)).map(key => `${key} ${fields.get(key)}`)
}

/** The colour of a swatch; none, with a note, if its model or values are unknown. */
function colorOf({ name, group, model, values, isSpot }: Swatch, notes: Notes): FoundStyle[] {
  const subject = name || 'a swatch without a name'
  const isOutside = OF_SHARES.has(model) && !values.every(isShare)
  const color = MODELS.get(model)?.(values)
  const channels = values.map(value => Number(value.toFixed(4))).join(', ')
  if (isOutside) addNote(notes, subject, 'outOfRange', model)
  else if (color === undefined) addNote(notes, subject, 'noScreenModel', `${model} ${channels}`.trim())
  if (isOutside || color === undefined) return []
  const { hex = '', cmyk = '', isMapped } = color
  if (isMapped) addNote(notes, `${subject} (${hex})`, 'mapped')
  const isPantone = PANTONE.test(name) && (isSpot || pantoneKind(name) === 'process')
  const fields = Object.entries({ pms: isPantone ? name : '', group, hex, cmyk })
  return [{ name: name || hex, fields: new Map(fields.filter(([, value]) => value !== '')) }]
}

type Values = { hex?: string; cmyk?: string; isMapped?: boolean }

/** The values of each model, whose channels are from 0 to 1, except a* and b*. HSB has the whiteness and blackness of HWB. */
const MODELS = wordTable<(values: readonly number[]) => Values | undefined>([
  [([red = 0, green = red, blue = red]) => ({ hex: hexText([byteOf(red), byteOf(green), byteOf(blue)]) }), 'RGB GRAY'],
  [values => ({ cmyk: values.map(value => Number((value * 100).toFixed(3))).join(',') }), 'CMYK'],
  [
    ([hue = 0, saturation = 0, brightness = 0]) => {
      const whiteness = percent((1 - saturation) * brightness)
      return readCssColor(`hwb(${(hue * 360).toFixed(4)} ${whiteness} ${percent(1 - brightness)})`)
    },
    'HSB',
  ],
  [
    ([l = 0, a = 0, b = 0]) => (isShare(l) ? readCssColor(`lab(${percent(l)} ${plain(a)} ${plain(b)})`) : undefined),
    'LAB',
  ],
])

/** The models with values that are all shares. */
const OF_SHARES = wordSet('RGB CMYK GRAY')

function isShare(value: number): boolean {
  return value === Math.min(1, Math.max(0, value))
}

function byteOf(share: number): number {
  return Math.round(share * MAX)
}

function percent(share: number): string {
  return `${(share * 100).toFixed(4)}%`
}

/** A number as CSS may have it, without an exponent. */
function plain(number: number): string {
  return number.toFixed(6)
}

const MAX = 255
const PANTONE = /^(?:PANTONE|PMS)(?!\p{L})/iu
