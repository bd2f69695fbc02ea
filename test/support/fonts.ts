import { readFileSync } from 'node:fs'
import { deflateSync, inflateSync } from 'node:zlib'
import decompress from 'woff2-encoder/decompress'

/** The tables of a font, keyed by tag. */
export type Tables = ReadonlyMap<string, Buffer>

/** The tables of a woff, unpacked. */
export function tablesOf(woff: Buffer): Tables {
  const entries = Array.from({ length: woff.readUInt16BE(12) }, (_, n) => woff.subarray(44 + 20 * n, 64 + 20 * n))
  return new Map(
    entries.map(entry => {
      const [offset, packed, length] = [entry.readUInt32BE(4), entry.readUInt32BE(8), entry.readUInt32BE(12)]
      const bytes = woff.subarray(offset, offset + packed)
      return [entry.toString('latin1', 0, 4), packed < length ? inflateSync(bytes) : bytes]
    }),
  )
}

/** Makes a ttf of some tables; `base` is its offset in the file. */
export function sfnt(tables: Tables, base = 0): Buffer {
  const head = Buffer.alloc(12 + 16 * tables.size)
  head.writeUInt32BE(0x10000, 0)
  head.writeUInt16BE(tables.size, 4)
  const bodies: Buffer[] = []
  let at = head.length
  for (const [n, [tag, body]] of [...tables].entries()) {
    head.write(tag, 12 + 16 * n, 'latin1')
    head.writeUInt32BE(base + at, 20 + 16 * n)
    head.writeUInt32BE(body.length, 24 + 16 * n)
    bodies.push(body, Buffer.alloc(-body.length & 3))
    at += body.length + (-body.length & 3)
  }
  return Buffer.concat([head, ...bodies])
}

/** A collection of fonts. */
export function collection(fonts: Tables[]): Buffer {
  const head = Buffer.alloc(12 + 4 * fonts.length)
  head.write('ttcf')
  head.writeUInt32BE(0x10000, 4)
  head.writeUInt32BE(fonts.length, 8)
  let file = head
  for (const [n, tables] of fonts.entries()) {
    head.writeUInt32BE(file.length, 12 + 4 * n)
    file = Buffer.concat([file, sfnt(tables, file.length)])
    head.copy(file)
  }
  return file
}

/** A name table: platform 3 (Windows, UTF-16) or 1 (Macintosh, Roman), a language id, a name id, and the string. */
export function nameTable(names: [platform: 1 | 3, language: number, id: number, text: string][]): Buffer {
  const head = Buffer.alloc(6 + 12 * names.length)
  head.writeUInt16BE(names.length, 2)
  head.writeUInt16BE(head.length, 4)
  const texts: Buffer[] = []
  for (const [n, [platform, language, id, text]] of names.entries()) {
    const bytes = platform === 3 ? Buffer.from(text, 'utf16le').swap16() : Buffer.from(text, 'latin1')
    const offset = Buffer.concat(texts).length
    const fields = [platform, platform === 3 ? 1 : 0, language, id, bytes.length, offset]
    for (const [m, value] of fields.entries()) head.writeUInt16BE(value, 6 + 12 * n + 2 * m)
    texts.push(bytes)
  }
  return Buffer.concat([head, ...texts])
}

/** A cmap table (format 4) of platform 3 with one range of characters, which are the glyphs from 3. */
export function cmapTable(encoding: number, first: number, last: number): Buffer {
  const segments = [4, 4, 1, 0, last, 0xffff, 0, first, 0xffff, 0x10000 + 3 - first, 1, 0, 0]
  const words = [0, 1, 3, encoding, 0, 12, 4, 32, 0, ...segments]
  const table = Buffer.alloc(2 * words.length)
  for (const [at, word] of words.entries()) table.writeUInt16BE(word & 0xffff, 2 * at)
  return table
}

/** An axis of a font: its tag, and its minimum, default and maximum. */
export type Axis = [tag: string, min: number, usual: number, max: number]

/** Inter as a ttf, with some of its tables changed. */
export function interWith(changed: Record<string, Buffer>): Buffer {
  const tables: Tables = new Map([...INTER, ...Object.entries(changed)])
  return sfnt(tables)
}

/** Inter with axes that have no names, and outlines that do not vary. */
export function variableInter(axes: readonly Axis[]): Buffer {
  return interWith({ fvar: fvar(axes) })
}

/** The tables of Inter Regular. */
export const INTER = tablesOf(readFileSync('node_modules/@fontsource/inter/files/inter-latin-400-normal.woff'))

/** An fvar table (OpenType): a header of 16 bytes, and 20 bytes for each axis. */
function fvar(axes: readonly Axis[]): Buffer {
  const table = Buffer.alloc(16 + 20 * axes.length)
  for (const [at, value] of [1, 0, 16, 2, axes.length, 20, 0, 4 + 4 * axes.length].entries())
    table.writeUInt16BE(value, 2 * at)
  for (const [at, [tag, ...values]] of axes.entries()) {
    table.write(tag, 16 + 20 * at, 'latin1')
    for (const [n, value] of values.entries()) table.writeInt32BE(value * 65536, 20 + 20 * at + 4 * n)
    table.writeUInt16BE(256, 38 + 20 * at - 4)
  }
  return table
}

/** Variable fonts under the OFL, as WOFF2. */
export const VARIABLE_FONTS = [
  'fraunces-latin-full-normal',
  'inter-latin-opsz-italic',
  'nunito-latin-wght-normal',
  'recursive-latin-full-normal',
  'roboto-flex-latin-full-normal',
  'source-serif-4-latin-opsz-normal',
] as const

/** A variable font in each of its formats. */
export type Formats = { woff2: Buffer; woff: Buffer; ttf: Buffer }

/** One of `VARIABLE_FONTS` as its WOFF2 file, and as WOFF and TTF with the same tables. */
export async function formatsOf(name: (typeof VARIABLE_FONTS)[number]): Promise<Formats> {
  const family = /^.*(?=-latin)/.exec(name)?.[0] ?? ''
  const woff2 = readFileSync(`node_modules/@fontsource-variable/${family}/files/${name}.woff2`)
  const ttf = Buffer.from(await decompress(woff2))
  return { woff2, woff: woffOf(ttf), ttf }
}

/** A font as WOFF (WOFF 1.0 §3 to §5): tables that zlib makes shorter are compressed, others are stored. */
export function woffOf(sfnt: Buffer): Buffer {
  const count = sfnt.readUInt16BE(4)
  const head = Buffer.alloc(44 + 20 * count)
  head.write('wOFF', 'latin1')
  sfnt.copy(head, 4, 0, 4)
  head.writeUInt16BE(count, 12)
  head.writeUInt32BE(sfnt.length, 16)
  const parts: Buffer[] = [head]
  let end = head.length
  for (let at = 0; at < count; at++) {
    const entry = sfnt.subarray(12 + 16 * at, 28 + 16 * at)
    const table = sfnt.subarray(entry.readUInt32BE(8), entry.readUInt32BE(8) + entry.readUInt32BE(12))
    const packed = deflateSync(table)
    const body = packed.length < table.length ? packed : table
    entry.copy(head, 44 + 20 * at, 0, 4)
    for (const [n, value] of [end, body.length, table.length, entry.readUInt32BE(4)].entries())
      head.writeUInt32BE(value, 48 + 20 * at + 4 * n)
    parts.push(body, Buffer.alloc(-body.length & 3))
    end += body.length + (-body.length & 3)
  }
  head.writeUInt32BE(end, 8)
  return Buffer.concat(parts)
}
