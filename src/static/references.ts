/** How the references of a file are changed: gives what stands in their place, or undefined for a dead one. */
export type RewriteReference = (reference: string) => Promise<string | undefined>

/** A piece of a text, from `start` to `end`, and what stands in its place. */
export type Edit = { start: number; end: number; text: string }

/** A text with edits, in any order, that do not overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const pieces: string[] = []
  let at = 0
  for (const { start, end, text: piece } of [...edits].sort((one, other) => one.start - other.start)) {
    pieces.push(text.slice(at, start), piece)
    at = end
  }
  return pieces.join('') + text.slice(at)
}

/** The reference that leads from a file to another of the same folder; both are paths with `/`. */
export function relativeReference(from: string, to: string): string {
  const [own, other] = [from.split('/').slice(0, -1), to.split('/')]
  let same = 0
  while (same < own.length && same < other.length - 1 && own[same] === other[same]) same++
  const names = [...own.slice(same).map(() => '..'), ...other.slice(same).map(encodeURIComponent)]
  return names.join('/')
}
