import { ok } from '../../base/result.ts'
import { encodeInSteps, inSteps } from '../../base/steps.ts'
import type { Color } from '../../brand/color.ts'
import type { MakeExport } from '../format.ts'
import { headLines } from '../head.ts'

/** A palette as GIMP and Inkscape read it: a colour on a line, red, green and blue from 0 to 255, then its name. */
export const gimpPalette: MakeExport = async source => {
  const colors = await source.publication.content.colors()
  const [name = '', ...about] = headLines(source, []).map(onOneLine)
  const head = ['GIMP Palette\n', `Name: ${name}\n`, 'Columns: 0\n', ...about.map(line => `# ${line}\n`)]
  const parts = [...head, ...(await inSteps(colors, COLORS_AT_ONCE, colorLine))]
  return ok({ files: [{ path: 'palette.gpl', content: await encodeInSteps(parts) }], leftOut: [] })
}

const COLORS_AT_ONCE = 1000

function colorLine({ rgb, name }: Color): string {
  const values = rgb.split(',').map(value => value.padStart(3))
  return `${values.join(' ')}\t${onOneLine(name)}\n`
}

/** Lines of more than 100 bytes are an error to some readers. */
function onOneLine(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
  return Buffer.byteLength(line) <= MAX_TEXT ? line : `${cutTo(line, MAX_TEXT - 3)}…`
}

const MAX_TEXT = 80

function cutTo(text: string, bytes: number): string {
  return new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, bytes)).replace(/\ufffd+$/, '')
}
