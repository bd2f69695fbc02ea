import { pluralize } from '../base/text.ts'

/**
 * A sentence for things that an export leaves out for one reason, with the names of the first of them: `2 fonts, a.ttc and
 * b.ttc: …`. None if there are none.
 */
export function describeOmission(noun: string, names: readonly string[], reason: string): string[] {
  if (names.length === 0) return []
  const shown = names.slice(0, MAX_NAMED).map(shortened)
  const more = names.length - shown.length
  const listed = more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ')
  return [`${pluralize(names.length, noun)} (${listed}): ${reason}`]
}

const MAX_NAMED = 5

function shortened(name: string): string {
  return name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME).toWellFormed()}…`
}

const MAX_NAME = 100
