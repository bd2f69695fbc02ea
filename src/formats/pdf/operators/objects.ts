import { constants, inflateSync } from 'node:zlib'
import { errorCode, errorMessage } from '#platform/base/error.ts'
import { listIn } from '#platform/base/object.ts'
import { hasKey, type PdfDictionary, type PdfStream, type PdfValue, valueAt } from './syntax.ts'

/** The objects of a document, by what is asked for: of another kind of value, a dictionary is empty, and so is an array. */
export type PdfObjects = ReturnType<typeof readObjects>

/**
 * Reads the objects of a plain copy (`plainCopy`).
 *
 * @param budget the bytes that may be unpacked, which `decode` takes away
 */
export function readObjects(file: Buffer, budget: { bytes: number }) {
  const text = file.toString('latin1')
  const values = objectValues(file, text)
  /** The numbers of referenced objects that do not exist. */
  const missing = new Set<number>()
  /** The value that a reference leads to; other values as they are. */
  const get = (value: PdfValue) => {
    if (!hasKey(value, 'reference')) return value
    if (!values.has(value.reference)) missing.add(value.reference)
    return values.get(value.reference)
  }
  const stream = (value: PdfValue): PdfStream | undefined => {
    const target = get(value)
    return hasKey(target, 'data') ? target : undefined
  }
  /** A dictionary, also that of a stream. */
  const dictionary = (value: PdfValue): PdfDictionary => {
    const target = get(value)
    return target instanceof Map ? target : (stream(target)?.dictionary ?? EMPTY)
  }
  const list = (value: PdfValue): PdfValue[] => {
    const target = get(value)
    return listIn(target)
  }
  const trailer = dictionary(valueAt({ text, at: text.lastIndexOf('trailer') + 'trailer'.length }))
  const objects = { get, dictionary, list, stream, trailer, missing }
  return { ...objects, decode: (encoded: PdfStream): Buffer => decodeStream(objects, encoded, budget) }
}

export const EMPTY: PdfDictionary = new Map()

/**
 * The values of objects by number (ISO 32000-2 §7.3.10), such as `7 0 obj << /Length 5 >> stream … endstream endobj`.
 */
function objectValues(file: Buffer, text: string): Map<number, PdfValue> {
  const values = new Map<number, PdfValue>()
  OBJECT.lastIndex = 0
  for (let match = OBJECT.exec(text); match; match = OBJECT.exec(text)) {
    const number = Number(match[1])
    const cursor = { text, at: OBJECT.lastIndex }
    const value = valueAt(cursor)
    values.set(number, value)
    // The search for the next object continues after the value, or after the data of its stream.
    OBJECT.lastIndex = cursor.at
    STREAM.lastIndex = cursor.at
    if (!(value instanceof Map && STREAM.test(text))) continue
    const start = STREAM.lastIndex
    const writtenEnd = start + Math.max(0, Number(value.get('Length')))
    STREAM_END.lastIndex = writtenEnd
    // A plain copy has only the beginning of a long stream.
    const end = STREAM_END.test(text) ? writtenEnd : Math.max(start, text.indexOf('endstream', start))
    values.set(number, { dictionary: value, data: file.subarray(start, end) })
    OBJECT.lastIndex = end
  }
  return values
}

const OBJECT = /(\d{1,10}) \d{1,5} obj\b/g
const STREAM = /[\r\n ]*stream\r?\n/y
const STREAM_END = /[\r\n ]*endstream/y

/** Decodes a stream. Throws if it is damaged, too large or encoded in a rare way; the message ends a sentence. */
function decodeStream(objects: Omit<PdfObjects, 'decode'>, stream: PdfStream, budget: { bytes: number }): Buffer {
  const { dictionary, data } = stream
  /** One value, or a list of them, as a list. */
  const valuesOf = (key: string) => {
    const value = objects.get(dictionary.get(key)) ?? []
    return Array.isArray(value) ? value : [value]
  }
  const filters = valuesOf('Filter')
  const parameters = valuesOf('DecodeParms')
  // A plain copy shortens only streams that are too long.
  if (data.length < Number(dictionary.get('Length')) || filters.length > MAX_FILTERS) throw new Error(TOO_LARGE)
  let bytes = data
  for (const [at, filter] of filters.entries()) {
    const name = String(objects.get(filter))
    const decode = DECODERS.get(name)
    const predictor = Number(objects.get(objects.dictionary(parameters[at]).get('Predictor')) ?? 1)
    if (!decode || predictor > 1)
      throw new Error(`is compressed in a way that is not read (${name}): save it again in its program`)
    bytes = decode(bytes, Math.max(1, Math.min(MAX_STREAM, budget.bytes)))
    budget.bytes -= bytes.length
  }
  return bytes
}

/** Functions by filter that decode bytes to at most as many as a limit. */
const DECODERS: ReadonlyMap<string, (bytes: Buffer, limit: number) => Buffer> = new Map([
  ['FlateDecode', inflate],
  ['ASCII85Decode', ascii85],
])
const MAX_FILTERS = 8
const MAX_STREAM = 32 << 20
const TOO_LARGE = 'is too large to read: divide the file'

/** Inflates data (ISO 32000-2 §7.4.4), also if their end is missing. */
function inflate(bytes: Buffer, limit: number): Buffer {
  try {
    return inflateSync(bytes, { maxOutputLength: limit, finishFlush: constants.Z_SYNC_FLUSH })
  } catch (cause) {
    const isLarge = errorCode(cause) === 'ERR_BUFFER_TOO_LARGE'
    throw new Error(isLarge ? TOO_LARGE : `is damaged (${errorMessage(cause)}): save it again`, { cause })
  }
}

/**
 * Decodes ASCII85 (§7.4.3): five digits of base 85, from `!` to `u`, are four bytes, `z` is four zeros, and `~` ends
 * it.
 */
function ascii85(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1').replaceAll(/~.*|[^!-u]/gs, other => (other === 'z' ? '!!!!!' : ''))
  const decoded = Buffer.alloc(Math.ceil(text.length / 5) * 4)
  for (let at = 0; at < text.length; at += 5) {
    const value = Buffer.from(text.slice(at, at + 5).padEnd(5, 'u')).reduce((sum, digit) => sum * 85 + digit - 33, 0)
    decoded.writeUInt32BE(value % 2 ** 32, (at / 5) * 4)
  }
  return decoded.subarray(0, Math.floor((text.length * 4) / 5))
}
