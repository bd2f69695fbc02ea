import { decodeText } from '#platform/base/bytes.ts'
import { hexText } from '../../css/hex.ts'
import type { PdfObjects } from './objects.ts'
import { type PdfDictionary, type PdfValue, textOf } from './syntax.ts'

/** What a colour is made of. A print value is never computed: a colour has the kinds of values that the file gives. */
export type Paint = {
  /** The spot colours. */
  inks: readonly string[]
  /** The process inks in percent. */
  cmyk?: readonly [number, number, number, number]
  /** The colour on screens, as `#` and six digits. Grey has it, too: it is a grey there, and black ink in print. */
  hex?: string
  isRgb?: boolean
}

/** A colour space (ISO 32000-2 §8.6): its first colour, and the paint of a colour. */
export type Space = {
  initial: readonly number[]
  paint: (values: readonly number[]) => Paint
  /** The space that colours of a table have, and patterns that have none of their own. */
  base?: Space
  isPattern?: boolean
}

export const GRAY: Space = {
  initial: [0],
  paint: ([gray = 0]) => ({ inks: [], cmyk: [0, 0, 0, percent(1 - gray)], hex: hexOf(gray, gray, gray) }),
}
const RGB: Space = {
  initial: [0, 0, 0],
  paint: ([red = 0, green = 0, blue = 0]) => ({ inks: [], hex: hexOf(red, green, blue), isRgb: true }),
}
const PROCESS: readonly string[] = ['Cyan', 'Magenta', 'Yellow', 'Black']
const CMYK: Space = { ...inkSpace(PROCESS), initial: [0, 0, 0, 1] }
/** Lab, and whatever else is neither RGB nor ink. */
const OTHER: Space = { initial: [0, 0, 0], paint: () => ({ inks: [] }) }

/** The spaces of operators (`g`, `rg`, `k`) and of ICC profiles, by their number of values. */
export const SPACES_BY_SIZE: Readonly<Record<number, Space>> = { 1: GRAY, 3: RGB, 4: CMYK }

/**
 * The spaces of devices, such as `/DeviceGray` and `/CalRGB`, without the beginnings of their names, and `/G` of inline
 * images.
 */
const NAMED: ReadonlyMap<string, Space> = new Map(Object.entries({ G: GRAY, Gray: GRAY, RGB, CMYK }))

/**
 * Reads a space by name, also by one of the resources, or as an array that begins with its kind:
 * `[/Separation /Gold …]`, `[/DeviceN [/Gold /Black] …]`, `[/Indexed base 255 table]`, `[/ICCBased profile]`. Default
 * spaces have the values of the devices.
 */
export function readSpace(objects: PdfObjects, value: PdfValue, resources: PdfDictionary, depth = 0): Space {
  const written = objects.get(value)
  const [kind, first, , third] = Array.isArray(written) ? written.slice(0, 4).map(objects.get) : [written]
  const readBase = (base: PdfValue) => readSpace(objects, base, resources, depth + 1)
  if (typeof kind !== 'string' || depth > MAX_DEPTH) return OTHER
  const resource = Array.isArray(written) ? undefined : objects.dictionary(resources.get('ColorSpace')).get(kind)
  if (kind === 'ICCBased') return SPACES_BY_SIZE[Number(objects.get(objects.dictionary(first).get('N')))] ?? OTHER
  if (kind === 'Separation') return inkSpace([String(first)])
  if (kind === 'DeviceN') return inkSpace(objects.list(first).map(name => String(objects.get(name))))
  if (kind === 'Indexed' || kind === 'I') return indexedSpace(readBase(first), objects, third)
  if (kind === 'Pattern') return { ...OTHER, base: readBase(first), isPattern: true }
  return resource === undefined ? (NAMED.get(kind.replace(/^(?:Device|Cal)/, '')) ?? OTHER) : readBase(resource)
}

const MAX_DEPTH = 8

/** Spot colours and process inks that are named one by one. `All` is for marks of the printer, and `None` for nothing. */
function inkSpace(written: readonly string[]): Space {
  // Names are in UTF-8 (§7.3.5), and in old files in Latin-1.
  const names = written.map(name => decodeText(Buffer.from(name, 'latin1')) ?? name)
  const isSpot = (name: string) => !PROCESS.includes(name) && name !== 'All' && name !== 'None'
  const hasProcess = names.some(name => PROCESS.includes(name))
  const paint = (values: readonly number[]): Paint => {
    const percentOf = (process: string) => percent(values[names.indexOf(process)] ?? 0)
    const inks = names.filter((name, at) => isSpot(name) && (values[at] ?? 0) > 0)
    if (!hasProcess) return { inks }
    return { inks, cmyk: [percentOf('Cyan'), percentOf('Magenta'), percentOf('Yellow'), percentOf('Black')] }
  }
  return { initial: names.map(() => 1), paint }
}

/**
 * A space whose colours are the indexes of a table, in a stream or a string: each has a byte for each value of the
 * base.
 */
function indexedSpace(base: Space, objects: PdfObjects, value: PdfValue): Space {
  const size = base.initial.length
  const stream = objects.stream(value)
  const table = stream ? objects.decode(stream) : Buffer.from(textOf(value), 'latin1')
  const valuesAt = (index: number) => [...table.subarray(index * size, (index + 1) * size)]
  return {
    initial: [0],
    base,
    paint: ([index = 0]) => base.paint(valuesAt(Math.max(0, Math.trunc(index))).map(value => value / 255)),
  }
}

/** The paint of a picture or blend, whose single colours are not judged: all inks of its space, and whether it is RGB. */
export function paintOf({ initial, paint, base }: Space): Paint {
  if (base) return paintOf(base)
  const { inks, isRgb = false } = paint(initial.map(() => 1))
  return { inks, isRgb }
}

/** A share from 0 to 1 in percent, with two decimals. */
function percent(value: number): number {
  return Math.round(Math.min(1, Math.max(0, value)) * 10_000) / 100
}

function hexOf(red: number, green: number, blue: number): string {
  const byteOf = (channel: number) => Math.round(Math.min(1, Math.max(0, channel)) * 255)
  return hexText([byteOf(red), byteOf(green), byteOf(blue)])
}
