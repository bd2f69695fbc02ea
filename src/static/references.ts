/** Rewrites a reference; resolves to undefined if it is dead. */
export type RewriteReference = (reference: string) => Promise<string | undefined>

/** A replacement for the characters from `start` to `end`. */
export type Edit = { start: number; end: number; text: string }

/** Applies edits in any order; they must not overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const pieces: string[] = []
  let at = 0
  for (const { start, end, text: piece } of [...edits].sort((one, other) => one.start - other.start)) {
    pieces.push(text.slice(at, start), piece)
    at = end
  }
  return pieces.join('') + text.slice(at)
}

/** The relative reference from one file of a copy to another; both are paths with `/`. */
export function relativeReference(from: string, to: string): string {
  const [own, other] = [from.split('/').slice(0, -1), to.split('/')]
  let same = 0
  while (same < own.length && same < other.length - 1 && own[same] === other[same]) same++
  const names = [...own.slice(same).map(() => '..'), ...other.slice(same).map(encodeURIComponent)]
  return names.join('/')
}
