import { diffArrays } from 'diff'

/** A passage of three versions of a text: as both people opened it, with my changes, and with theirs. */
export type Passage = { base: string; mine: string; theirs: string }

/** Cuts three versions of a text into passages, so that each change is in one, and changes of the same place share one. */
export function passagesOf(base: string, mine: string, theirs: string): Passage[] {
  const parts = partsOf(base)
  const edits = [...editsOf(parts, mine, 'mine'), ...editsOf(parts, theirs, 'theirs')]
  edits.sort((a, b) => a.start - b.start || a.end - b.end)
  const passages: Passage[] = []
  let at = 0
  for (let next = edits.shift(); next; next = edits.shift()) {
    const group = [next]
    const { start } = next
    let { end } = next
    while (edits[0] && (edits[0].start < end || (edits[0].start === start && edits[0].end === start))) {
      group.push(edits[0])
      end = Math.max(end, edits[0].end)
      edits.shift()
    }
    passages.push(unchanged(parts.slice(at, start).join('')))
    const side = (by: Edit['by']) =>
      apply(
        parts,
        { start, end },
        group.filter(edit => edit.by === by),
      )
    passages.push({ base: parts.slice(start, end).join(''), mine: side('mine'), theirs: side('theirs') })
    at = end
  }
  return [...passages, unchanged(parts.slice(at).join(''))].filter(
    ({ base, mine, theirs }) => base + mine + theirs !== '',
  )
}

/** The text that keeps the changes of both; undefined if both changed the passage, and not alike. */
export function mergedText({ base, mine, theirs }: Passage): string | undefined {
  if (mine === theirs || theirs === base) return mine
  return mine === base ? theirs : undefined
}

function unchanged(text: string): Passage {
  return { base: text, mine: text, theirs: text }
}

/** The lines of a text with their ends; a line of several sentences is cut into these. */
function partsOf(text: string): string[] {
  return text.split(/(?<=\n|[.!?…] )/)
}

/** The replacement of the parts from `start` to `end`. */
type Edit = { start: number; end: number; parts: readonly string[]; by: 'mine' | 'theirs' }

function editsOf(before: readonly string[], text: string, by: Edit['by']): Edit[] {
  const edits: Edit[] = []
  let [at, isOpen] = [0, false]
  for (const { value, added, removed } of diffArrays([...before], partsOf(text))) {
    if (added || removed) {
      const open = isOpen ? edits.pop() : undefined
      const { start, end, parts } = open ?? { start: at, end: at, parts: [] }
      edits.push({ start, end: removed ? end + value.length : end, parts: added ? [...parts, ...value] : parts, by })
    }
    isOpen = added || removed
    if (!added) at += value.length
  }
  return edits.flatMap(splitEdit)
}

/** Equally many parts replace each other one by one, so that only the same part can be changed twice. */
function splitEdit(edit: Edit): Edit[] {
  const { start, end, parts } = edit
  if (end - start !== parts.length) return [edit]
  return parts.map((part, at) => ({ ...edit, start: start + at, end: start + at + 1, parts: [part] }))
}

function apply(parts: readonly string[], { start, end }: Pick<Edit, 'start' | 'end'>, edits: readonly Edit[]): string {
  let [text, at] = ['', start]
  for (const edit of edits) {
    text += parts.slice(at, edit.start).join('') + edit.parts.join('')
    at = edit.end
  }
  return text + parts.slice(at, end).join('')
}
