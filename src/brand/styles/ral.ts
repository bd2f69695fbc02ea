import { failed, ok, type Result } from '#platform/base/result.ts'
import { anyCase, groupsOf, quote } from '#platform/base/text.ts'
import type { RuleId } from '../finding.ts'

/* The schema of styles has these patterns, too, which cannot ignore case there. */

/** `RAL`, `RAL® ` or `ral:` */
const RAL = `${anyCase('RAL')}[\\p{Z}\\uFEFF]*[®™]?[\\p{Z}\\uFEFF:–-]*`
const SYSTEMS = ['Classic', 'Design', 'Effect', 'Plastics', 'K[57]'].map(anyCase).join('|')
/** `RAL Classic `, or nothing */
const START = `(?:${RAL}(?:(?:${SYSTEMS})\\p{Z}*)*)?`
/** RAL Design (`240 40 40`, `H240L40C40`), RAL Effect (`110-1`, `840-M`), RAL Plastics (`P1 5015`). */
const OTHER = '(?:[Hh]?\\d{3}[\\p{Z}-]?[Ll]?\\d{2}[\\p{Z}-]?[Cc]?\\d{2}|\\d{3}-[1-6Mm]|[Pp][12][\\p{Z}-]?\\d{4})'
/**
 * A number of RAL Classic with its word (`5015`, `Nr. 5015`, `# 5015`), and with the name of its colour before or after:
 * `Lachsrot (RAL Nr. 3022)`, `RAL 5015 Himmelblau`.
 */
const NUMBER = '(?:[Nn]\\p{L}{0,5}[.°º]?:?\\p{Z}*|[№#]\\p{Z}*)?[1-9]\\d{3}'
const BEFORE = `(?:(?!${anyCase('RAL')}\\P{L})\\p{L}(?:[^\\p{N}\\p{C}]*[^\\p{L}\\p{N}\\p{C}])?(?=${anyCase('RAL')})|\\(?(?!\\p{Z}))`
const AFTER = '(?:[\\p{Z},;:/|(\\[–—-][^\\p{L}\\p{N}\\p{C}]*\\p{L}[^\\p{N}\\p{C}]*|\\p{Z}*[)\\]])?'
const CLASSIC = `${BEFORE}${START}${NUMBER}${AFTER}`

const inside = (pattern: string) => `^[\\p{Z}\\uFEFF]*(?:${pattern})[\\p{Z}\\uFEFF]*$`

/** Also accepts numbers of other RAL systems: they deserve a warning, which a schema cannot express. */
export const RAL_PATTERN = inside(`${CLASSIC}|${START}${OTHER}`)

/** Reads a RAL Classic number: `5015`, `RAL 5015 Himmelblau`. Another system is correct, but replies have no field for it. */
export function parseRal(text: string): Result<number, { rule: RuleId; message: string }> {
  if (IS_CLASSIC.test(text)) {
    const [digits] = groupsOf(/\d{4}/, text)
    return ok(Number(digits))
  }
  const number = text.trim().replace(IS_START, '')
  if (IS_OTHER.test(number)) {
    const message = `is ${quote(text)}, which is not of RAL Classic and is left out; write it under "inks", as in inks: { RAL: ${quote(number)} }`
    return failed({ rule: 'ral-design', message })
  }
  const message = `is ${quote(text)}; write the four digits of a RAL Classic number, as in 5015`
  return failed({ rule: 'value-invalid', message })
}

const IS_CLASSIC = new RegExp(inside(CLASSIC), 'u')
const IS_START = new RegExp(`^${START}`, 'u')
const IS_OTHER = new RegExp(`^${OTHER}$`, 'u')
