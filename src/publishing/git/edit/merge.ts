import { type ChangeObject, diffArrays } from 'diff'

/** A passage of three versions of a text: as both people opened it, with my changes, and with theirs. */
export type Passage = { base: string; mine: string; theirs: string }

/**
 * The places at which a text is cut into parts; by default after sentences and lines. Two parts with the same `keyOf` are
 * the same one, although their text may differ; by default, parts are the same if their text is.
 */
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
  const myCells = cellsIn(mine)
  const theirCells = cellsIn(theirs)
  const passages: Passage[] = []
  for (const [at, text] of cellsIn(base).entries()) {
    const last = passages.at(-1)
    const cell = { base: text ?? '', mine: myCells[at] ?? '', theirs: theirCells[at] ?? '' }
    if (!last || (myCells[at] !== null && theirCells[at] !== null)) passages.push(cell)
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

/**
 * Lays out a text along the parts of the base. A base of n parts has 2n + 1 cells: cell 2i + 1 is for part i, and the
 * cells with even numbers are for what is added between parts. If the parts are `A`, `B` and the text is `A`, `C`, the cells
 * are `''`, `A`, `''`, `C`, `''`. A cell is null if the cell before has its text too: for a text that is only `C`, the cells
 * are `''`, `C`, null, null, `''`.
 */
function cellsOf(parts: readonly string[], others: readonly string[], keyOf: Cut['keyOf']): (string | null)[] {
  const cells: (string | null)[] = [...parts.flatMap(part => ['', part]), '']
  /** Replaces the parts from `start` to before `end`; if there are none, adds before the part `start`. */
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
  /* The parts that differ, since the last ones that are the same in both, begin at `from` and end before `to`. */
  const from = { part: 0, other: 0 }
  const to = { part: 0, other: 0 }
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

/** An empty change at the end, before which the last difference is written. */
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
