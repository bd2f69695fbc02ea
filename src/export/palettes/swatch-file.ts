/** A colour of a swatch file. Its channels are numbers from 0 to 1: red, green and blue, or four inks. */
export type Swatch = { name: string; model: 'RGB ' | 'CMYK'; channels: readonly number[]; isSpot: boolean }

/** A block of a swatch file, which is a list of blocks. */
export type Block = Uint8Array

/**
 * An Adobe Swatch Exchange file: `ASEF`, version 1.0, the number of blocks, then the blocks. All numbers are
 * big-endian. There is no public specification; http://www.selapa.net/swatches/colors/fileformats.php describes the
 * format.
 */
export function swatchFile(blocks: readonly Block[]): Uint8Array {
  const head = Buffer.alloc(12)
  head.write('ASEF', 'latin1')
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(blocks.length, 8)
  return Uint8Array.from(Buffer.concat([head, ...blocks]))
}

/** The blocks of a group: its start, its swatches and its end. */
export function groupBlocks(name: string, swatches: readonly Block[]): Block[] {
  return [block(GROUP_START, encodedName(name)), ...swatches, block(GROUP_END)]
}

/** The block of a colour: its name, its model, its channels as 32-bit floats, and whether it is a spot colour. */
export function swatchBlock({ name, model, channels, isSpot }: Swatch): Block {
  const values = Buffer.alloc(4 + 4 * channels.length + 2)
  values.write(model, 'latin1')
  for (const [at, channel] of channels.entries()) values.writeFloatBE(channel, 4 + 4 * at)
  values.writeUInt16BE(isSpot ? SPOT : NORMAL, 4 + 4 * channels.length)
  return block(COLOR, encodedName(name), values)
}

const [GROUP_START, GROUP_END, COLOR] = [0xc001, 0xc002, 0x0001]
const [SPOT, NORMAL] = [1, 2]

function block(type: number, ...parts: readonly Uint8Array[]): Block {
  const head = Buffer.alloc(6)
  head.writeUInt16BE(type)
  head.writeUInt32BE(
    parts.reduce((sum, { length }) => sum + length, 0),
    2,
  )
  return Buffer.concat([head, ...parts])
}

/** The number of UTF-16 units including the NUL, then the units, big-endian. */
function encodedName(name: string): Uint8Array {
  const text = Buffer.from(`${name}\0`, 'utf16le').swap16()
  const length = Buffer.alloc(2)
  length.writeUInt16BE(text.length / 2)
  return Buffer.concat([length, text])
}
