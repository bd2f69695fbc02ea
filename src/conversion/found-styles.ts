import { quote } from '../base/text.ts'
import type { Json } from './json.ts'

/** The styles of one file, in order, with notes about ignored or changed values. */
export type FoundStyles = { colors: FoundStyle[]; types: FoundStyle[]; notes: Notes }

/** A style of a file, with unchecked values for the keys of its YAML file. It has an id only if the file gives one. */
export type FoundStyle = { id?: string; name: string; fields: Map<string, Json> }

/** Values that a reader ignored or changed, keyed by message; each message lists its first subjects. */
export type Notes = Map<string, { subjects: string[]; count: number }>

/** `maximum` is the number of subjects that the note lists. */
export function addNote(notes: Notes, subject: string, message: string, maximum = MAX_SUBJECTS): void {
  const note = notes.get(message) ?? { subjects: [], count: 0 }
  if (note.subjects.length < maximum) note.subjects.push(quote(subject))
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
  return Array.from(notes, ([message, { subjects, count }]) => {
    const more = count > subjects.length ? ` and ${count - subjects.length} more` : ''
    return subjects.length === 0 ? message : `${subjects.join(', ')}${more}: ${message}`
  })
}

const MAX_SUBJECTS = 5
/** The subjects that are listed where each is another kind, such as a column. */
export const MAX_KINDS = 100
