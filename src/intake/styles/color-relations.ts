import { withoutUndefined } from '../../base/object.ts'
import { quote } from '../../base/text.ts'
import type { Color } from '../../brand/color.ts'
import type { Problem } from '../../brand/finding.ts'
import type { StyleId } from '../../brand/ids.ts'
import { type Reference, type StyleFinder, styleFinder } from '../yaml/references.ts'

/** Unresolved references from a colour to other colours. */
export type Relations = { on?: Reference[]; tintOf?: Reference }

/** Resolves the references between colours. Reports and omits references to missing colours. */
export function resolveColorRelations(
  written: readonly (Omit<Color, 'on' | 'tintOf'> & Relations)[],
  problems: Problem[],
): Color[] {
  const find = styleFinder(
    'colour',
    'styles/colors.yaml',
    written.map(({ id }) => id),
  )
  const bases = new Map(written.map(({ id, tintOf }) => [id, tintOf?.text]))
  return written.map(({ on, tintOf, ...color }) => ({
    ...color,
    ...withoutUndefined({
      on: on && resolveGrounds(color, on, find, problems),
      tintOf: tintOf && resolveBase(color, tintOf, find, bases, problems),
    }),
  }))
}

function resolveGrounds(
  { id }: Pick<Color, 'id'>,
  on: readonly Reference[],
  find: StyleFinder,
  problems: Problem[],
): StyleId[] {
  const grounds = on.flatMap(reference => {
    const ground = find('"on"', reference)
    if (!ground.ok) problems.push(ground.problem)
    else if (ground.value === id) problems.push(itself('"on"', reference))
    else return [ground.value]
    return []
  })
  return [...new Set(grounds)]
}

/** A tint must refer to a base colour that is not itself a tint, so that each belongs to one row. */
function resolveBase(
  { id }: Pick<Color, 'id'>,
  tintOf: Reference,
  find: StyleFinder,
  bases: ReadonlyMap<StyleId, string | undefined>,
  problems: Problem[],
): StyleId | undefined {
  const base = find('"tintOf"', tintOf)
  const further = base.ok ? bases.get(base.value) : undefined
  if (!base.ok) problems.push(base.problem)
  else if (base.value === id) problems.push(itself('"tintOf"', tintOf))
  else if (further === undefined) return base.value
  else {
    const message = `"tintOf" is ${quote(tintOf.text)}, which is itself a tint of ${quote(further)}; write the base colour of both`
    problems.push({ rule: 'value-invalid', line: tintOf.line, message })
  }
  return undefined
}

function itself(subject: string, { text, line }: Reference): Problem {
  const message = `${subject} is ${quote(text)}, which is the colour itself; write another, or remove it`
  return { rule: 'value-invalid', line, message }
}
