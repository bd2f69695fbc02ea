import { type ChangeObject, diffArrays } from 'diff'

/** A passage of three versions of a text: as both people opened it, with my changes, and with theirs. */
export type Passage = { base: string; mine: string; theirs: string }

/** The places at which a string may be cut, and what has to be equal for two parts to be the same one. */
type Cut = { cut?: RegExp; keyOf?: (part: string) => string }

/** Cuts three versions of a text into passages, so that each change is in one, and changes of the same place share one. */
export function passagesOf(
  base: string,
  mine: string,
  theirs: string,
  { cut = SENTENCES, keyOf }: Cut = {},
): Passage[] {
  const parts = base.split(cut)
  const cellsIn = (text: string) => cellsOf(parts, text.split(cut), keyOf)
  const [ours, others] = [cellsIn(mine), cellsIn(theirs)]
  const passages: Passage[] = []
  for (const [at, text] of cellsIn(base).entries()) {
    const last = passages.at(-1)
    const cell = { base: text ?? '', mine: ours[at] ?? '', theirs: others[at] ?? '' }
    if (!last || (ours[at] !== null && others[at] !== null)) passages.push(cell)
    else for (const side of ['base', 'mine', 'theirs'] as const) last[side] += cell[side]
  }
  return passages.filter(passage => passage.base + passage.mine + passage.theirs !== '')
}

/** The text that keeps the changes of both; undefined if both changed the passage, and not alike. */
export function mergedText({ base, mine, theirs }: Passage): string | undefined {
  if (mine === theirs || theirs === base) return mine
  return mine === base ? theirs : undefined
}

/** Between lines, and between the sentences of a line. */
const SENTENCES = /(?<=\n|[.!?…] )/

/** What a text has before, instead of and after each part; null if this belongs to the cell before. */
function cellsOf(parts: readonly string[], others: readonly string[], keyOf: Cut['keyOf']): (string | null)[] {
  const cells: (string | null)[] = [...parts.flatMap(part => ['', part]), '']
  const replace = (start: number, end: number, added: readonly string[], isSame = false) => {
    const first = 2 * start + (end > start ? 1 : 0)
    // Equally many parts replace each other one by one, so that only the same part can be changed twice.
    if (end - start === added.length && (isSame || !keyOf))
      for (const [index, part] of added.entries()) cells[first + 2 * index] = part
    else {
      cells[first] = added.join('')
      cells.fill(null, first + 1, Math.max(2 * end, first + 1))
    }
  }
  const key = keyOf ?? ((part: string) => part)
  const changes = diffArrays(parts.map(key), others.map(key), { maxEditLength: MAX_EDITS })
  // Where the parts differ, since the last ones that are the same in both.
  const [from, to] = [
    { part: 0, other: 0 },
    { part: 0, other: 0 },
  ]
  for (const { added, removed, count } of [...(changes ?? allOf(parts, others)), END]) {
    const isSame = !added && !removed
    if (isSame) replace(from.part, to.part, others.slice(from.other, to.other))
    if (isSame) replace(to.part, to.part + count, others.slice(to.other, to.other + count), true)
    if (!added) to.part += count
    if (!removed) to.other += count
    if (isSame) Object.assign(from, to)
  }
  return cells
}

type Change = Pick<ChangeObject<string[]>, 'added' | 'removed' | 'count'>

const END: Change = { added: false, removed: false, count: 0 }

/** Texts that differ in too much are replaced as a whole. */
function allOf(parts: readonly string[], others: readonly string[]): Change[] {
  return [
    { added: false, removed: true, count: parts.length },
    { added: true, removed: false, count: others.length },
  ]
}

/** A diff takes time for each difference and each part. */
const MAX_EDITS = 2000
