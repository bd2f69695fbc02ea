/**
 * Waits for a turn of the event loop that no other caller gets. Callers take turns, so that a request waits for one
 * step of one of them, no matter how many there are.
 */
export function nextTurn(): Promise<void> {
  return new Promise(resolve => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(beginNext)
  })
}

const waiting: (() => void)[] = []

function beginNext(): void {
  waiting[0]?.()
  waiting.shift()
  if (waiting.length > 0) setImmediate(beginNext)
}

/** Counts work, in any unit, and waits for the next turn of the event loop whenever `maxPerTurn` was done in one. */
export function pacing(maxPerTurn: number): (work: number) => Promise<void> | undefined {
  let done = 0
  return work => {
    done += work
    if (done < maxPerTurn) return undefined
    done = 0
    return nextTurn()
  }
}

/**
 * Maps entries, at most `maxPerTurn` in one turn of the event loop. `workOf` counts what an entry took, in the unit of
 * `maxPerTurn`: 1 if it is absent.
 */
export async function inSteps<Entry, Value>(
  entries: Iterable<Entry>,
  maxPerTurn: number,
  make: (entry: Entry, at: number) => Value,
  workOf: (made: Value) => number = () => 1,
): Promise<Value[]> {
  const pace = pacing(maxPerTurn)
  const made: Value[] = []
  for (const entry of entries) {
    const value = make(entry, made.length)
    made.push(value)
    const turn = pace(workOf(value))
    if (turn) await turn
  }
  return made
}

/** Encodes texts one after the other as UTF-8, long ones in steps. The bytes do not share their memory. */
export async function encodeInSteps(texts: readonly string[]): Promise<Uint8Array> {
  const bytes = new Uint8Array(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0))
  // Not `TextEncoder.encodeInto`: in Node 25.4 and later, it can leave out the end of a text that just fits (nodejs/node#65994).
  const buffer = Buffer.from(bytes.buffer)
  const pace = pacing(CHARACTERS_AT_ONCE)
  let written = 0
  for (const text of texts) {
    for (let start = 0; start < text.length; ) {
      const piece = text.slice(start, pieceEnd(text, start))
      written += buffer.write(piece, written)
      start += piece.length
      const turn = pace(TEXT_WORK + piece.length)
      if (turn) await turn
    }
  }
  return bytes
}

const CHARACTERS_AT_ONCE = 1 << 20
/** The work for a text besides its characters, as a number of characters. */
const TEXT_WORK = 200

/** Never between the two halves of a character beyond U+FFFF, which would be lost. */
function pieceEnd(text: string, start: number): number {
  const end = start + CHARACTERS_AT_ONCE
  return (text.codePointAt(end - 1) ?? 0) > 0xffff ? end - 1 : end
}
