import { COLOR_FIELDS, type Color } from '../../brand/color.ts'
import { keysOf } from '../../brand/fields.ts'
import type { Problem } from '../../brand/finding.ts'
import { hexText, parseHex, parseRgb, rgbText } from '../../brand/styles/screen-color.ts'
import { COLOR_KINDS } from '../schema/colors.ts'
import { readValues } from '../schema/kinds.ts'
import { type Fields, intendedEntry, lineOf, readOptional } from '../yaml/fields.ts'
import { readNumbers } from '../yaml/numbers.ts'
import { readParsed } from '../yaml/texts.ts'
import { type Relations, resolveColorRelations } from './color-relations.ts'
import { readStyleList } from './style-list.ts'

const KEYS = keysOf(COLOR_FIELDS)

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
  const values = readValues(fields, COLOR_FIELDS, COLOR_KINDS)
  return screen && { ...screen, ...values }
}

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
