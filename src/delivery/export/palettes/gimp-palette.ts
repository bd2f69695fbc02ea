import type { Color } from '#brand/color.ts'
import { MAX_PALETTE_NAME } from '#brand/styles/style-omissions.ts'
import { ok } from '#platform/base/result.ts'
import { describeStyleOmissions, type ExportedFile, headLines, type MakeExport, textFile } from '../format.ts'

/** A palette for GIMP and Inkscape, also in pieces for readers that stop after 256 lines. */
export const gimpPalette: MakeExport = async source => {
  const colors = await source.publication.content.colors()
  const lines = colors.map(colorLine)
  const leftOut = describeStyleOmissions('gpl', colors, [])
  const [name = '', ...about] = headLines(source, leftOut)
  if (lines.length + HEAD_LINES + about.length <= MAX_LINES)
    return ok({ files: [palette('palette.gpl', name, about, lines)], leftOut })
  const linesEach = MAX_LINES - HEAD_LINES - about.length
  const count = Math.ceil(lines.length / linesEach)
  const pieces: ExportedFile[] = []
  for (let number = 1; number <= count; number++) {
    const pieceLines = lines.slice((number - 1) * linesEach, number * linesEach)
    pieces.push(palette(`palette-${number}.gpl`, `${number} of ${count}: ${name}`, about, pieceLines))
  }
  const note = `for readers that stop after 256 lines: palette-1.gpl to palette-${count}.gpl`
  return ok({ files: [palette('palette.gpl', name, [...about, note], lines)], pieces, leftOut })
}

/** The number of lines that Pillow reads after the first one, including comments; it silently ignores the rest. */
const MAX_LINES = 256

/** The lines of `palette` before the comments, without the first. */
const HEAD_LINES = 2

/** A palette: its head, `about` as comments, then a line for each colour. */
function palette(path: string, name: string, about: readonly string[], lines: readonly string[]): ExportedFile {
  const comments = about.map(line => `# ${fitLine(line)}\n`)
  const head = ['GIMP Palette\n', `Name: ${fitLine(name)}\n`, 'Columns: 0\n', ...comments]
  return textFile(path, [...head, ...lines])
}

function colorLine({ rgb, name }: Color): string {
  const values = rgb.split(',').map(value => value.padStart(3))
  return `${values.join(' ')}\t${fitLine(name)}\n`
}

/** A string without line breaks, cut to the bytes that programs read after the three numbers of a colour. */
function fitLine(text: string): string {
  const line = text.replace(/\p{Cc}+/gu, ' ')
  return Buffer.byteLength(line) <= MAX_PALETTE_NAME ? line : `${cutTo(line, MAX_PALETTE_NAME - 3)}…`
}

/** A string cut to a number of bytes in UTF-8, without the replacement for a character that the cut divides. */
function cutTo(text: string, bytes: number): string {
  return new TextDecoder('utf-8', { ignoreBOM: true })
    .decode(new TextEncoder().encode(text).subarray(0, bytes))
    .replace(/\ufffd+$/, '')
}
