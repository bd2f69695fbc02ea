import { quote } from '../base/text.ts'

/** What a reader did not understand or had to change, by the message; each message names some of what it is about. */
export type Notes = Map<string, { subjects: string[]; count: number }>

/** Notes that the message holds for the subject, which is quoted. */
export function addNote(notes: Notes, subject: string, message: string): void {
  const known = notes.get(message) ?? { subjects: [], count: 0 }
  if (known.subjects.length < SHOWN) known.subjects.push(quote(subject))
  known.count += 1
  notes.set(message, known)
}

/** A line for each message: `"a", "b" and 3 more: a shadow is no style of a guide; left out`. */
export function noteLines(notes: Notes): string[] {
  return Array.from(notes, ([message, { subjects, count }]) => {
    const more = count > subjects.length ? ` and ${count - subjects.length} more` : ''
    return `${subjects.join(', ')}${more}: ${message}`
  })
}

const SHOWN = 5
