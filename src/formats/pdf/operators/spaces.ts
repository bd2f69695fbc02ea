import { decodeText } from '#platform/base/bytes.ts'
import { wordTable } from '#platform/base/text.ts'
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
/** Names in spaces of inks that are not spot colours: `All` is for marks of the printer, and `None` for nothing. */
const NO_SPOTS: ReadonlySet<string> = new Set([...PROCESS, 'All', 'None'])
const CMYK: Space = { ...inkSpace(PROCESS), initial: [0, 0, 0, 1] }
/** Lab, and whatever else is neither RGB nor ink. */
const OTHER: Space = { initial: [0, 0, 0], paint: () => ({ inks: [] }) }

/** The spaces of operators (`g`, `rg`, `k`) and of ICC profiles, by their number of values. */
export const SPACES_BY_SIZE: Readonly<Record<number, Space>> = { 1: GRAY, 3: RGB, 4: CMYK }

/** The spaces of devices, and their names in inline images. */
const NAMED = wordTable([
  [GRAY, 'DeviceGray CalGray Gray G'],
  [RGB, 'DeviceRGB CalRGB RGB'],
  [CMYK, 'DeviceCMYK CalCMYK CMYK'],
])

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
  const read = KINDS.get(kind)
  if (read) return read({ objects, first, third, readBase })
  return resource === undefined ? (NAMED.get(kind) ?? OTHER) : readBase(resource)
}

/** The values behind the kind in the array of a space. */
type Parts = { objects: PdfObjects; first: PdfValue; third: PdfValue; readBase: (base: PdfValue) => Space }

/** Functions that read the spaces of a kind. */
const KINDS: ReadonlyMap<string, (parts: Parts) => Space> = new Map([
  [
    'ICCBased',
    ({ objects, first }) => SPACES_BY_SIZE[Number(objects.get(objects.dictionary(first).get('N')))] ?? OTHER,
  ],
  ['Separation', ({ first }) => inkSpace([String(first)])],
  ['DeviceN', ({ objects, first }) => inkSpace(objects.list(first).map(name => String(objects.get(name))))],
  ['Indexed', indexedSpace],
  ['I', indexedSpace],
  ['Pattern', ({ first, readBase }) => ({ ...OTHER, base: readBase(first), isPattern: true })],
])

const MAX_DEPTH = 8

/** Spot colours and process inks that are named one by one. */
function inkSpace(written: readonly string[]): Space {
  // Names are in UTF-8 (§7.3.5), and in old files in Latin-1.
  const names = written.map(name => decodeText(Buffer.from(name, 'latin1')) ?? name)
  const hasProcess = names.some(name => PROCESS.includes(name))
  const paint = (values: readonly number[]): Paint => {
    const percentOf = (process: string) => percent(values[names.indexOf(process)] ?? 0)
    const inks = names.filter((name, at) => !NO_SPOTS.has(name) && (values[at] ?? 0) > 0)
    if (!hasProcess) return { inks }
    return { inks, cmyk: [percentOf('Cyan'), percentOf('Magenta'), percentOf('Yellow'), percentOf('Black')] }
  }
  return { initial: names.map(() => 1), paint }
}

/**
 * A space whose colours are the indexes of a table, in a stream or a string: each has a byte for each value of the
 * base.
 */
function indexedSpace({ objects, first, third, readBase }: Parts): Space {
  const base = readBase(first)
  const size = base.initial.length
  const stream = objects.stream(third)
  const table = stream ? objects.decode(stream) : Buffer.from(textOf(third), 'latin1')
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
