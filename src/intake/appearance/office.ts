import { quote } from '../../base/text.ts'
import { OFFICE_COLORS, OFFICE_FONTS, type OfficeTheme } from '../../brand/appearance.ts'
import { isFont } from '../../brand/file.ts'
import type { Problem } from '../../brand/finding.ts'
import type { WrittenOffice } from '../project/office-keys.ts'
import { advice } from '../yaml/nearest.ts'
import { styleFinder, suggester } from '../yaml/references.ts'
import type { ReferenceTargets } from './reference-targets.ts'

/**
 * Resolves the colours and fonts for Office themes. Reports and omits missing colours. Reports unknown families but
 * keeps them, because Office has its own fonts.
 */
export function resolveOffice(written: WrittenOffice, targets: ReferenceTargets, problems: Problem[]): OfficeTheme {
  const ids = targets.colors.map(({ id }) => id)
  const findColor = styleFinder('colour', 'styles/colors.yaml', ids)
  const office: OfficeTheme = {}
  for (const key of OFFICE_COLORS) {
    const reference = written[key]
    const found = reference && findColor(`"${key}"`, reference)
    if (found?.ok) office[key] = found.value
    else if (found) problems.push(found.problem)
  }
  const known = familiesOf(targets)
  const suggest = suggester(known)
  for (const key of OFFICE_FONTS) {
    const reference = written[key]
    if (!reference) continue
    const { text, line } = reference
    office[key] = text
    if (!known.has(text)) problems.push(unknownFamily(key, text, line, suggest(text)))
  }
  return office
}

/** The families of all fonts and type styles, including fallbacks. */
function familiesOf({ types, files }: ReferenceTargets): ReadonlySet<string> {
  const ofFonts = files.filter(isFont).flatMap(({ metadata }) => metadata?.family ?? [])
  const ofStyles = types.flatMap(({ family, fallback = [] }) => [
    ...(family === undefined ? [] : [family]),
    ...fallback,
  ])
  return new Set([...ofFonts, ...ofStyles])
}

function unknownFamily(key: string, family: string, line: number, meant: string | undefined): Problem {
  const help = advice(meant, 'add the font, or list the family as a fallback in styles/types.yaml')
  const message = `"${key}" in "office" is ${quote(family)}, a family that no font under files/ and no type style has; ${help}`
  return { rule: 'font-family-missing', line, message }
}
