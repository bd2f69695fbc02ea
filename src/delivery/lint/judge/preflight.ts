import { quote } from '#platform/base/text.ts'
import { oneLine, type Problem } from '../finding.ts'
import type { Use } from '../use.ts'

/** The rules for print files of any brand. They report RGB once a page, overprint and transparency once a file. */
export function preflightRule(use: Use<'print'>): Problem[] {
  const found = use.name === undefined ? undefined : oneLine(use.name)
  if (use.about === 'font-not-embedded') {
    const message = `${quote(found ?? '')} is not in the file, so that other letters may be printed: embed it`
    return [{ rule: 'font-not-embedded', value: use.name ?? '', details: () => ({ found, message }) }]
  }
  const [rule, message] = MESSAGES[use.about]
  // Equal values are one finding: the report has RGB once for each page, the others once for the file.
  const value = use.about === 'rgb' ? `${use.page ?? ''}` : ''
  return [{ rule, value, isWarning: use.isAllowed === true, details: () => ({ found, message }) }]
}

/** The rule and the message of each kind of problem that needs no name. */
const MESSAGES = {
  rgb: ['rgb-in-print', 'something on the page is in RGB: give it the inks of the brand, or convert it'],
  overprint: ['overprint-used', 'inks are printed over others: look at it in an overprint preview'],
  transparency: ['transparency-used', 'something is transparent: ask the printer how it is flattened'],
} as const
