import { withoutUndefined } from '../../base/object.ts'
import { failed } from '../../base/result.ts'
import type { Color } from '../../brand/color.ts'
import type { Problem } from '../../brand/finding.ts'
import { parseCmyk, parseRal } from '../../brand/styles/print-color.ts'
import { hexText, parseHex, parseRgb, rgbText } from '../../brand/styles/screen-color.ts'
import { COLOR_KEYS } from '../schema/colors.ts'
import { keysOf } from '../schema/schema.ts'
import { type Fields, intendedEntry, lineOf, readOptional } from '../yaml/fields.ts'
import { readNumber, readNumbers } from '../yaml/numbers.ts'
import type { Reader } from '../yaml/reader.ts'
import { readName, readParsed, readShortText } from '../yaml/texts.ts'
import { type Relations, readRelations, resolveColorRelations } from './color-relations.ts'
import { readStyleList } from './style-list.ts'

const KEYS = keysOf(COLOR_KEYS)

/** Reads `styles/colors.yaml`: the valid colours in file order, the line of each name, and all problems. */
export function readColors(text: string): { colors: Color[]; lines: number[]; problems: Problem[] } {
  const { entries, problems } = readStyleList(text, 'styles/colors.yaml', 'a colour', KEYS, readColorFields)
  return {
    colors: resolveColorRelations(
      entries.map(entry => entry.style),
      problems,
    ),
    lines: entries.map(({ fields }) => lineOf(fields, 'name')),
    problems,
  }
}

/** Reads the fields of a colour except id and name. Undefined, with problems, if it has no screen value. */
export function readColorFields(
  fields: Fields<(typeof KEYS)[number]>,
): (Omit<Color, 'id' | 'name' | 'on' | 'tintOf'> & Relations) | undefined {
  const screen = readScreenColor(fields)
  const cmyk = readOptional(fields, 'cmyk', readNumbers(parseCmyk, 'four numbers, 0 to 100, as in "84,39,0,28"'))
  const pms = readOptional(fields, 'pms', readShortText)
  const pms2 = readOptional(fields, 'pms2', readShortText)
  const ral = readOptional(fields, 'ral', readRal)
  const notes = withoutUndefined({
    group: readOptional(fields, 'group', readShortText),
    use: readOptional(fields, 'use', readName),
    proportion: readOptional(fields, 'proportion', readProportion),
  })
  const relations = readRelations(fields)
  if (screen === undefined) return undefined
  const { rgb, hex } = screen
  return { rgb, ...withoutUndefined({ cmyk }), hex, ...withoutUndefined({ pms, pms2, ral }), ...notes, ...relations }
}

const readPercent = readNumber('a number of per cent, 0 to 100, as in 54', number => number >= 0 && number <= 100)

/** Reads `54`, or `54 %`. */
const readProportion: Reader<number> = node =>
  readPercent(node.kind === 'text' ? { ...node, text: node.text.replace(/\s*%\s*$/, '') } : node)

/** Computes either value from the other. If both are written, they must be the same colour. */
function readScreenColor(fields: Fields<(typeof KEYS)[number]>): { rgb: string; hex: string } | undefined {
  const hex = readOptional(fields, 'hex', readParsed(parseHex))
  const rgb = readOptional(fields, 'rgb', readNumbers(parseRgb, 'three whole numbers, 0 to 255, as in "29,112,184"'))
  if (!intendedEntry(fields, 'hex') && !intendedEntry(fields, 'rgb')) {
    const message = 'a colour has neither "hex" nor "rgb"; write one of them, as in hex: "#1d70b8"'
    fields.problems.push({ rule: 'value-missing', line: fields.line, message })
  }
  if (hex && rgb && hexText(hex) !== hexText(rgb)) {
    const message = `"hex" is ${hexText(hex)}, which is ${rgbText(hex)}, but "rgb" is ${rgbText(rgb)}; keep one of them, or correct the wrong one`
    fields.problems.push({ rule: 'color-disagreement', line: lineOf(fields, 'rgb'), message })
  }
  const color = hex ?? rgb
  return color && { rgb: rgbText(color), hex: hexText(color) }
}

const readRal: Reader<number> = node => {
  const text = readShortText(node)
  if (!text.ok) return text
  const number = parseRal(text.value)
  return number.ok ? number : failed({ ...number.problem, line: node.line })
}
