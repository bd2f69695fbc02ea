import type { Problem, StyleList } from '#brand/finding.ts'
import type { StyleId } from '#brand/ids.ts'
import { slug } from '#brand/ids.ts'
import { lazy } from '#platform/base/object.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { quote } from '#platform/base/text.ts'
import { advice, nearest } from './nearest.ts'
import { inCurlyQuotes, invalid, type Reader, readAnd, readItems, refuse } from './reader.ts'
import { readName } from './scalars.ts'

/** An unresolved id or path that refers to something else in the project. */
export type Reference = { text: string; line: number }

/** Reads an id or a path. It is resolved later, when all possible targets have been read. */
export const readReference: Reader<Reference> = readAnd(readName, (text, { line }) => ok({ text: text.trim(), line }))

/** Reads one or more references: a list, or a string with commas. */
export const readReferences: Reader<Reference[]> = node => {
  if (node.kind === 'mapping') return refuse(node, 'write a value, or a list of values')
  if (node.kind !== 'list') return readSeparated(node)
  const { length } = node.items
  if (length > MAX_ENTRIES) return invalid(node, `has ${length} entries; write at most ${MAX_ENTRIES}`)
  return readItems(node.items, readReference)
}

const readSeparated = readAnd(readReference, ({ text, line }) => {
  const parts = text.split(',').map(part => ({ text: part.trim(), line }))
  return ok(parts.filter(({ text }) => text !== '').slice(0, MAX_ENTRIES))
})

/** Reads one or more references as their texts. */
export const readTextList = readAnd(readReferences, references => ok(references.map(({ text }) => text)))

/** More than a person reads. Limits the time to show and serve one style, which delays other requests. */
export const MAX_ENTRIES = 100

/** Finds the style that a reference names. The problem begins with the subject, such as `"accent"`. */
export type StyleFinder = (subject: string, reference: Reference) => Result<StyleId, Problem>

/** Makes the finder for the styles of a list. It suggests a similar id for a missing one. */
export function styleFinder(list: StyleList, styles: readonly { id: StyleId }[]): StyleFinder {
  const byId = new Map<string, StyleId>(styles.map(({ id }) => [id, id]))
  const what = list === 'styles/colors.yaml' ? 'colour' : 'type style'
  const suggest = suggester(byId.keys())
  return (subject, { text, line }) => {
    const id = byId.get(text)
    if (id !== undefined) return ok(id)
    const meant = suggest(slug(text)) ?? suggest(text)
    const problem = missingReference(subject, { text, line }, `is not the id of a ${what} in ${list}`, meant)
    return failed({ ...problem, missing: { path: list, id: text } })
  }
}

/** The target of a reference, if there is one. Reports a wrong reference. */
export function targetOf<Value>(
  reference: Reference | undefined,
  find: (reference: Reference) => Result<Value, Problem>,
  report: (problem: Problem, reference: Reference) => void,
): Value | undefined {
  if (!reference) return undefined
  const target = find(reference)
  if (target.ok) return target.value
  report(target.problem, reference)
  return undefined
}

/** Reports only the first problem with each reference, which several files share if their entry has a pattern. */
export function reportOnce(report: (problem: Problem) => void): (problem: Problem, reference: Reference) => void {
  const reported = new Set<Reference>()
  return (problem, reference) => {
    if (!reported.has(reference)) report(problem)
    reported.add(reference)
  }
}

/** The problem with a reference to something missing: `"accent" is "signl", which is not …; did you mean "signal"?` */
export function missingReference(subject: string, { text, line }: Reference, why: string, meant?: string): Problem {
  const curly = inCurlyQuotes(text)
  if (curly !== undefined) return { rule: 'reference-missing', line, message: `${subject} ${curly}` }
  const help = advice(meant, 'correct it, or remove it')
  return { rule: 'reference-missing', line, message: `${subject} is ${quote(text)}, which ${why}; ${help}` }
}

/** Creates a function that suggests known names, at most 40 times: comparing with thousands of names is slow. */
export function suggester(candidates: Iterable<string>): (text: string) => string | undefined {
  const names = lazy(() => [...candidates])
  let callsLeft = 40
  return text => {
    callsLeft--
    return callsLeft >= 0 ? nearest(text, names()) : undefined
  }
}
