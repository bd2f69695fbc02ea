import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import decompress from 'woff2-encoder/decompress'

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
