import { failed, ok, type Result } from '#platform/base/result.ts'

/** A swatch with the names of its groups; the channels of RGB, CMYK, GRAY and HSB are from 0 to 1, and L* of LAB. */
export type Swatch = { name: string; group: string; model: string; values: readonly number[]; isSpot: boolean }

/** The swatches of a file, and its blocks of unknown types, by number. */
export type SwatchFile = { swatches: Swatch[]; unknown: ReadonlyMap<number, number> }

/**
 * Reads Adobe Swatch Exchange. Undefined for other bytes. The file states the number of its blocks and the length of
 * each. The problem ends a sentence.
 */
export function readAse(bytes: Uint8Array): Result<SwatchFile, string> | undefined {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!data.toString('latin1', 0, SIGNATURE.length).startsWith(SIGNATURE)) return undefined
  if (data.length < HEADER) return failed('is cut short: its header is incomplete')
  const count = data.readUInt32BE(8)
  const swatches: Swatch[] = []
  const unknown = new Map<number, number>()
  const groups: string[] = []
  let at = HEADER
  for (let number = 1; number <= count; number++) {
    const start = at + BLOCK_HEADER
    const end = start > data.length ? Number.POSITIVE_INFINITY : start + data.readUInt32BE(at + 2)
    if (end > data.length) return failed(`is cut short: block ${number} of ${count} is incomplete`)
    const type = data.readUInt16BE(at)
    const body = data.subarray(start, end)
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
    } else unknown.set(number, type)
  }
  return ok({ swatches, unknown })
}

const SIGNATURE = 'ASEF'
/** Programs do not nest groups; here the name of a nested group joins the names of all its groups. */
const MAX_GROUPS = 32
/** Signature, version and number of blocks. */
const HEADER = 12
/** The type of a block, and the length of its content. */
const BLOCK_HEADER = 6
const [COLOR, GROUP_START, GROUP_END] = [0x0001, 0xc001, 0xc002]

/** A name is a length in UTF-16 units, including the final NUL, and the units. Undefined if it is cut short. */
function readName(body: Buffer): { text: string; end: number } | undefined {
  if (body.length < 2) return undefined
  const end = 2 + body.readUInt16BE(0) * 2
  if (end > body.length) return undefined
  return { text: decodeName(body.subarray(2, end)), end }
}

/** The text of a name, which may have a NUL at its end. */
export function decodeName(bytes: Uint8Array): string {
  return new TextDecoder('utf-16be', { ignoreBOM: true }).decode(bytes).replaceAll('\0', '').trim()
}

/** The number of values by model, whose names have four letters. */
const CHANNELS: ReadonlyMap<string, number> = new Map(
  Object.entries({ 'RGB ': 3, CMYK: 4, Gray: 1, GRAY: 1, 'LAB ': 3, 'Lab ': 3 }),
)
const SPOT = 1

/** Undefined if it is cut short. The last two bytes are the colour type; some programs omit them. */
function readSwatch(body: Buffer, group: string): Swatch | undefined {
  const name = readName(body)
  if (name === undefined || name.end + 4 > body.length) return undefined
  const model = body.toString('latin1', name.end, name.end + 4)
  const start = name.end + 4
  const end = start + (CHANNELS.get(model) ?? 0) * 4
  if (end > body.length) return undefined
  const values: number[] = []
  for (let at = start; at < end; at += 4) values.push(body.readFloatBE(at))
  const isSpot = end + 2 <= body.length && body.readUInt16BE(end) === SPOT
  return { name: name.text, group, model: model.trim().toUpperCase(), values, isSpot }
}
