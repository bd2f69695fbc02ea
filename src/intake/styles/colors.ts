import { COLOR_FIELDS, type Color } from '#brand/color.ts'
import { keysOf } from '#brand/fields.ts'
import type { Problem } from '#brand/finding.ts'
import type { StyleId } from '#brand/ids.ts'
import { unlessEmpty, withoutUndefined } from '#platform/base/object.ts'
import { quote } from '#platform/base/text.ts'
import { COLOR_KINDS, readInks, readScreenColor } from '../schema/colors.ts'
import { readValues } from '../schema/kinds.ts'
import { type Fields, lineOf, readOptional } from '../yaml/fields.ts'
import { type Reference, type StyleFinder, styleFinder } from '../yaml/references.ts'
import { reportInks } from './ink-problems.ts'
import { readStyleList } from './style-list.ts'

const KEYS = keysOf(COLOR_FIELDS)

/** Reads `styles/colors.yaml`: the valid colours in file order, the line of each name, and all problems. */
export function readColors(text: string): { colors: Color[]; lines: number[]; problems: Problem[] } {
  const { entries, problems } = readStyleList(text, 'styles/colors.yaml', 'a colour', KEYS, readWholeColor)
  const styles = entries.map(({ style }) => style)
  const lines = entries.map(({ fields }) => lineOf(fields, 'name'))
  return { colors: resolveColorRelations(styles, problems), lines, problems }
}

/** Reads the fields of a colour in a file; undefined, with problems, if it has no screen value. */
function readWholeColor(fields: ColorFields) {
  const { rgb, hex, ...values } = readColorFields(fields)
  reportInks(fields, values)
  return rgb === undefined || hex === undefined ? undefined : { rgb, hex, ...values }
}

type ColorFields = Fields<(typeof KEYS)[number]>
type ColorValues = Omit<Color, 'id' | 'name' | 'rgb' | 'hex' | 'on' | 'tintOf'> & Relations

/** Reads the fields of a colour except id and name. Without rgb and hex, with problems, if it has no screen value. */
export function readColorFields(fields: ColorFields): ColorValues & Partial<Pick<Color, 'rgb' | 'hex'>> {
  const inks = readOptional(fields, 'inks', node => readInks(node, fields))
  const values = readValues(fields, COLOR_FIELDS, COLOR_KINDS)
  return { ...readScreenColor(fields), ...values, ...withoutUndefined({ inks: unlessEmpty(inks) }) }
}

/** Unresolved references from a colour to other colours. */
export type Relations = { on?: Reference[]; tintOf?: Reference }

/** Resolves the references between colours. Reports and omits references to missing colours. */
export function resolveColorRelations(
  written: readonly (Omit<Color, 'on' | 'tintOf'> & Relations)[],
  problems: Problem[],
): Color[] {
  const find = styleFinder('styles/colors.yaml', written)
  const bases = new Map(written.map(({ id, tintOf }) => [id, tintOf?.text]))
  return written.map(({ on, tintOf, ...color }) => ({
    ...color,
    ...withoutUndefined({
      on: on && resolveGrounds(color, on, find, problems),
      tintOf: tintOf && resolveBase(color, tintOf, find, bases, problems),
    }),
  }))
}

/** Resolves `on`, the colours of backgrounds for a colour. */
function resolveGrounds(
  { id }: Pick<Color, 'id'>,
  on: readonly Reference[],
  find: StyleFinder,
  problems: Problem[],
): StyleId[] {
  const grounds = on.flatMap(reference => {
    const ground = find('"on"', reference)
    if (ground.ok && ground.value !== id) return [ground.value]
    problems.push(ground.ok ? itself('"on"', reference) : ground.problem)
    return []
  })
  return [...new Set(grounds)]
}

/**
 * Resolves `tintOf`. A tint must refer to a base colour that is not itself a tint, so that each belongs to one row.
 *
 * @param bases the written `tintOf` of each colour
 */
function resolveBase(
  { id }: Pick<Color, 'id'>,
  tintOf: Reference,
  find: StyleFinder,
  bases: ReadonlyMap<StyleId, string | undefined>,
  problems: Problem[],
): StyleId | undefined {
  const base = find('"tintOf"', tintOf)
  const baseOfBase = base.ok ? bases.get(base.value) : undefined
  if (!base.ok) problems.push(base.problem)
  else if (base.value === id) problems.push(itself('"tintOf"', tintOf))
  else if (baseOfBase === undefined) return base.value
  else {
    const message = `"tintOf" is ${quote(tintOf.text)}, which is itself a tint of ${quote(baseOfBase)}; write the base colour of both`
    problems.push({ rule: 'value-invalid', line: tintOf.line, message })
  }
  return undefined
}

function itself(subject: string, { text, line }: Reference): Problem {
  const message = `${subject} is ${quote(text)}, which is the colour itself; write another, or remove it`
  return { rule: 'value-invalid', line, message }
}
