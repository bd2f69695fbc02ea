import { pluralize } from '../base/text.ts'

/**
 * Describes the items that an export omits for one reason, and names the first few: `2 fonts (a.ttc, b.ttc): …`. Empty
 * if there are no items.
 */
export function describeOmission(noun: string, names: readonly string[], reason: string): string[] {
  if (names.length === 0) return []
  const firstNames = names.slice(0, MAX_NAMED).map(shorten)
  const more = names.length - firstNames.length
  const listed = more > 0 ? `${firstNames.join(', ')} and ${more} more` : firstNames.join(', ')
  return [`${pluralize(names.length, noun)} (${listed}): ${reason}`]
}

const MAX_NAMED = 5

function shorten(name: string): string {
  return name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME).toWellFormed()}…`
}

const MAX_NAME = 100
