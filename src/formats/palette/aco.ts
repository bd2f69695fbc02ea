import { failed, ok, type Result } from '#platform/base/result.ts'
import { decodeName, type Swatch, type SwatchFile } from './ase.ts'

/**
 * Reads Photoshop's swatches: a list without names (version 1), or one with names after it (version 2). Undefined for
 * other bytes; text has no zero bytes.
 */
export function readAco(bytes: Uint8Array): Result<SwatchFile, string> | undefined {
  if (!isList(bytes)) return undefined
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const firstList = readList(data, 0)
  const list = firstList && isList(data.subarray(firstList.end)) ? readList(data, firstList.end) : firstList
  if (list === undefined) return failed('is cut short: one of its colours is incomplete')
  return ok({ swatches: list.swatches, unknown: new Map() })
}

/** Whether bytes begin with a version. */
function isList([first, second]: Uint8Array): boolean {
  return first === 0 && (second === 1 || second === 2)
}

/**
 * Reads the list at an offset; undefined if it is cut short. A colour has a model and four values, two bytes each; in a
 * list with names, the length of a name in UTF-16 units and the units follow.
 */
function readList(data: Buffer, start: number): { swatches: Swatch[]; end: number } | undefined {
  if (start + 4 > data.length) return undefined
  const isNamed = data.readUInt16BE(start) === 2
  const count = data.readUInt16BE(start + 2)
  const swatches: Swatch[] = []
  let at = start + 4
  for (let number = 0; number < count; number++) {
    const nameAt = at + 10
    if (nameAt + (isNamed ? 4 : 0) > data.length) return undefined
    const end = isNamed ? nameAt + 4 + data.readUInt32BE(nameAt) * 2 : nameAt
    if (end > data.length) return undefined
    const [model, read] = MODELS[data.readUInt16BE(at)] ?? [`Photoshop ${data.readUInt16BE(at)}`, () => []]
    const values = read([2, 4, 6, 8].map(offset => data.readUInt16BE(at + offset)))
    const name = decodeName(data.subarray(nameAt + 4, end))
    swatches.push({ name, group: '', model, values, isSpot: true })
    at = end
  }
  return { swatches, end: at }
}

/** The models by number, and their channels from 0 to 1, except a* and b*; in CMYK, 0 is all ink. */
const MODELS: Readonly<Record<number, [model: string, read: (values: readonly number[]) => number[]]>> = {
  0: ['RGB', values => values.slice(0, 3).map(value => value / 0xffff)],
  1: ['HSB', values => values.slice(0, 3).map(value => value / 0xffff)],
  2: ['CMYK', values => values.map(value => Number((1 - value / 0xffff).toFixed(4)))],
  3: ['Pantone', () => []],
  4: ['Focoltone', () => []],
  5: ['Trumatch', () => []],
  6: ['Toyo', () => []],
  7: ['LAB', ([l = 0, a = 0, b = 0]) => [l / 10_000, signed(a) / 100, signed(b) / 100]],
  8: ['GRAY', ([gray = 0]) => [gray / 10_000]],
  10: ['HKS', () => []],
}

function signed(value: number): number {
  return value > 0x7fff ? value - 0x10000 : value
}
