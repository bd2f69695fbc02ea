import { pluralize } from '../base/text.ts'

/**
 * Describes the items that an export omits for one reason, and names the first few: `2 fonts (a.ttc, b.ttc): …`. Empty
 * if there are no items.
 */
export function describeOmission(noun: string, names: readonly string[], reason: string): string[] {
  if (names.length === 0) return []
  const shown = names.slice(0, MAX_NAMED).map(shorten)
  const more = names.length - shown.length
  const listed = more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ')
  return [`${pluralize(names.length, noun)} (${listed}): ${reason}`]
}

const MAX_NAMED = 5

function shorten(name: string): string {
  return name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME).toWellFormed()}…`
}

const MAX_NAME = 100
