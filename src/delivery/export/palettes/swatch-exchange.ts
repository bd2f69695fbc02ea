import type { Color } from '#brand/color.ts'
import { swatchNames } from '#brand/styles/ink.ts'
import { ok } from '#platform/base/result.ts'
import { describeStyleOmissions, type MakeExport } from '../format.ts'

/**
 * A file with the groups `screen` (RGB), `print` (CMYK), `spot` (inks) and `process` (references to mixes of the process
 * inks). Programs need unique swatch names.
 */
export const swatchExchange: MakeExport = async source => {
  const colors = await source.publication.content.colors()
  const names = swatchNames(colors)
  const screen = colors.map((color, at) => rgbSwatch(names.screen[at] ?? '', color))
  const print = colors.flatMap((color, at) => (color.cmyk === undefined ? [] : anySwatch(names.print[at] ?? '', color)))
  const [spot, process] = [names.spot, names.process].map(inks =>
    Array.from(inks.values(), ({ name, color }) => ({ ...anySwatch(name, color), isSpot: inks === names.spot })),
  )
  const blocks: Uint8Array[] = []
  for (const [name, swatches = []] of Object.entries({ screen, print, spot, process }))
    if (swatches.length > 0)
      blocks.push(block(GROUP_START, encodedName(name)), ...swatches.map(swatchBlock), block(GROUP_END))
  const leftOut = describeStyleOmissions('ase', colors, [])
  return ok({ files: [{ path: 'palette.ase', content: swatchFile(blocks) }], leftOut })
}

/** The swatch of a colour in CMYK, or in RGB if it has no CMYK values: they are never computed. */
function anySwatch(name: string, color: Color): Swatch {
  if (color.cmyk === undefined) return rgbSwatch(name, color)
  return { name, model: 'CMYK', channels: color.cmyk.split(',').map(percent => Number(percent) / 100), isSpot: false }
}

function rgbSwatch(name: string, { rgb }: Color): Swatch {
  return { name, model: 'RGB ', channels: rgb.split(',').map(channel => Number(channel) / 255), isSpot: false }
}

/** A colour of a swatch file. Its channels are numbers from 0 to 1: red, green and blue, or four inks. */
type Swatch = { name: string; model: 'RGB ' | 'CMYK'; channels: readonly number[]; isSpot: boolean }

type Block = Uint8Array

/**
 * An Adobe Swatch Exchange file: `ASEF`, version 1.0, the number of blocks, then the blocks. All numbers are
 * big-endian. There is no public specification; http://www.selapa.net/swatches/colors/fileformats.php describes the
 * format.
 */
function swatchFile(blocks: readonly Block[]): Uint8Array {
  const head = Buffer.alloc(12)
  head.write('ASEF', 'latin1')
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(blocks.length, 8)
  return Uint8Array.from(Buffer.concat([head, ...blocks]))
}

/** The block of a colour: its name, its model, its channels as 32-bit floats, and whether it is a spot colour. */
function swatchBlock({ name, model, channels, isSpot }: Swatch): Block {
  const values = Buffer.alloc(4 + 4 * channels.length + 2)
  values.write(model, 'latin1')
  for (const [at, channel] of channels.entries()) values.writeFloatBE(channel, 4 + 4 * at)
  values.writeUInt16BE(isSpot ? SPOT : NORMAL, 4 + 4 * channels.length)
  return block(COLOR, encodedName(name), values)
}

/** The types of blocks. A group lasts until the next end. */
const GROUP_START = 0xc001
const GROUP_END = 0xc002
const COLOR = 0x0001

/** How a colour is printed: with its own ink, or mixed. */
const SPOT = 1
const NORMAL = 2

/** A block: its type, the number of bytes after both, and its parts. */
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
