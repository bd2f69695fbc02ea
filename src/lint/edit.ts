/** A replacement in the text of a file; the offsets count UTF-16 code units. */
export type Edit = { start: number; end: number; text: string }

/** Applies edits in any order; of those that overlap, only the first. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let [result, end] = ['', 0]
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    if (edit.start < end) continue
    result += text.slice(end, edit.start) + edit.text
    end = edit.end
  }
  return result + text.slice(end)
}
