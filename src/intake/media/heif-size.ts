/**
 * The displayed size of the primary picture of a HEIC or AVIF file: cropped (`clap`) and rotated (`irot`), ISO/IEC
 * 23008-12 §6.5. Throws if the bytes are not such a file. (`image-size` returns the coded size, which is padded to
 * whole blocks and not rotated.)
 */
export function heifSize(bytes: Buffer): { width: number; height: number } {
  const meta = box(bytes, 'meta').subarray(4)
  const properties = box(meta, 'iprp')
  const primary = itemId(box(meta, 'pitm'), 4, box(meta, 'pitm').readUInt8(0) > 0)
  const chosen = associations(box(properties, 'ipma'), primary)
  const all = [...boxes(box(properties, 'ipco'))]
  let width = 0
  let height = 0
  for (const { type, content } of chosen.flatMap(index => all[index - 1] ?? [])) {
    if (type === 'ispe') [width, height] = [content.readUInt32BE(4), content.readUInt32BE(8)]
    if (type === 'clap') [width, height] = [fraction(content, 0), fraction(content, 8)]
    if (type === 'irot' && content.readUInt8(0) % 2 === 1) [width, height] = [height, width]
  }
  return { width, height }
}

/** ISO/IEC 14496-12 §4.2: 4 bytes of length, a type, the content. Length 1: 8 bytes of length follow. 0: to the end. */
function* boxes(bytes: Buffer): Generator<{ type: string; content: Buffer }> {
  for (let at = 0; at + 8 <= bytes.length; ) {
    const short = bytes.readUInt32BE(at)
    let length = short
    if (short === 0) length = bytes.length - at
    if (short === 1) length = Number(bytes.readBigUInt64BE(at + 8))
    const head = short === 1 ? 16 : 8
    if (length < head || at + length > bytes.length) return
    yield { type: bytes.toString('latin1', at + 4, at + 8), content: bytes.subarray(at + head, at + length) }
    at += length
  }
}

function box(bytes: Buffer, type: string): Buffer {
  for (const inner of boxes(bytes)) if (inner.type === type) return inner.content
  throw new Error(`the file has no whole ${type} box`)
}

function itemId(bytes: Buffer, at: number, isLong: boolean): number {
  return isLong ? bytes.readUInt32BE(at) : bytes.readUInt16BE(at)
}

/** The 1-based indexes of the properties of an item, in the order in which they apply. */
function associations(ipma: Buffer, item: number): number[] {
  const isLongId = ipma.readUInt8(0) > 0
  const isLongIndex = (ipma.readUInt8(3) & 1) === 1
  let at = 8
  for (let entries = ipma.readUInt32BE(4); entries > 0; entries--) {
    const id = itemId(ipma, at, isLongId)
    at += isLongId ? 4 : 2
    const count = ipma.readUInt8(at++)
    const indexes = Array.from({ length: count }, (_, n) =>
      isLongIndex ? ipma.readUInt16BE(at + 2 * n) & 0x7fff : ipma.readUInt8(at + n) & 0x7f,
    )
    if (id === item) return indexes
    at += count * (isLongIndex ? 2 : 1)
  }
  return []
}

function fraction(bytes: Buffer, at: number): number {
  return Math.round(bytes.readUInt32BE(at) / bytes.readUInt32BE(at + 4))
}
