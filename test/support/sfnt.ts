import { inflateSync } from 'node:zlib'

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
