import { quote } from '#platform/base/text.ts'
import type { Json } from './json.ts'

/** The styles of one file, in order, with notes about ignored or changed values. */
export type FoundStyles = { colors: FoundStyle[]; types: FoundStyle[]; notes: Notes; role?: TokenFileRole }

/** Whether a file is a resolver document, or one of the files that such a document names for its default or other contexts. */
export type TokenFileRole = 'resolver' | 'default' | 'other'

/** A style of a file, with unchecked values for the keys of its YAML file. It has an id only if the file gives one. */
export type FoundStyle = { id?: string; name: string; fields: Map<string, Json>; token?: TokenPlace }

/** The set, groups and name of the token of a style, and whether it only names another. */
export type TokenPlace = { set: string; path: string; isAlias: boolean }

/** Whether a token is in a group, which may be named without those around it. */
export function isInGroup({ set, path }: TokenPlace, group: string): boolean {
  const words = (text: string) => `.${text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '.')}.`
  return words(`${set}.${path}`).includes(words(group))
}

/** Values that a reader ignored or changed, keyed by message. */
export type Notes = Map<string, { subjects: Subject[]; count: number; listed: number }>

/** What a note is about: its name, its value if the note is all that remains of it, and its line if that is known. */
export type Subject = { name: string; value?: string; line?: number }

/** `listed` is the number of subjects that the line of the note lists. */
export function addNote(notes: Notes, subject: string | Subject, message: string, listed = MAX_SUBJECTS): void {
  const note = notes.get(message) ?? { subjects: [], count: 0, listed }
  if (note.subjects.length < MAX_KEPT) note.subjects.push(typeof subject === 'string' ? { name: subject } : subject)
  note.count += 1
  notes.set(message, note)
}

/** Lists all colours outside sRGB in one note. */
export function addMappedNote(notes: Notes, subject: string, hex: string): void {
  addNote(notes, `${subject} (${hex})`, MAPPED, Number.POSITIVE_INFINITY)
}

const MAPPED = 'sRGB cannot show this; mapped to the nearest colour that it can show (CSS Color 4 §13)'

/** One line for each message: `"a", "b" and 3 more: a single token of the type "shadow" is not a style; left out`. */
export function noteLines(notes: Notes): string[] {
  return Array.from(notes, ([message, { subjects, count, listed }]) => {
    const names = subjects.slice(0, listed).map(({ name }) => quote(name))
    const more = count > names.length ? ` and ${count - names.length} more` : ''
    return names.length === 0 ? message : `${names.join(', ')}${more}: ${message}`
  })
}

const MAX_SUBJECTS = 5
const MAX_KEPT = 10_000
/** The subjects that are listed where each is another kind, such as a column. */
export const MAX_KINDS = 100
