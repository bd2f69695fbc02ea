/**
 * Waits for an event loop turn that no other caller gets. Callers take turns, so a request waits for only one step of
 * one of them, regardless of their number.
 */
export function nextTurn(): Promise<void> {
  return new Promise(resolve => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(beginTurn)
  })
}

/**
 * Yields to the event loop once the current step has used its time; otherwise returns undefined. Call after each entry
 * of a long loop. Loops in the same turn share one time budget, regardless of machine or entry size.
 */
export function yieldIfDue(): Promise<void> | undefined {
  endsAt ??= startBudget()
  return performance.now() < endsAt ? undefined : nextTurn()
}

/** An entry is processed without a pause, and V8 also collects garbage; requests should wait at most 10 ms. */
const TURN_MS = 2

const waiting: (() => void)[] = []
/** The end of this turn's time budget; undefined until work begins in it. */
let endsAt: number | undefined

function beginTurn(): void {
  endsAt = startBudget()
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(beginTurn)
}

/** Starts a time budget for all work until the next event loop turn. */
function startBudget(): number {
  const end = performance.now() + TURN_MS
  setImmediate(() => {
    if (endsAt === end) endsAt = undefined
  })
  return end
}

/** Maps entries, and yields between them. */
export async function inSteps<Entry, Value>(
  entries: Iterable<Entry>,
  make: (entry: Entry, at: number) => Value,
): Promise<Value[]> {
  const made: Value[] = []
  for (const entry of entries) {
    made.push(make(entry, made.length))
    const turn = yieldIfDue()
    if (turn) await turn
  }
  return made
}

/** Sorts entries like `toSorted`. Yields between small parts, and while it merges them. */
export async function sortInSteps<Entry>(
  entries: readonly Entry[],
  order: (a: Entry, b: Entry) => number,
): Promise<readonly Entry[]> {
  if (entries.length <= SORT_BATCH_SIZE) {
    await yieldIfDue()
    return entries.toSorted(order)
  }
  const middle = entries.length >> 1
  const first = await sortInSteps(entries.slice(0, middle), order)
  const second = await sortInSteps(entries.slice(middle), order)
  return mergeInSteps(first, second, order)
}

const SORT_BATCH_SIZE = 500

async function mergeInSteps<Entry>(
  first: readonly Entry[],
  second: readonly Entry[],
  order: (a: Entry, b: Entry) => number,
): Promise<readonly Entry[]> {
  const [last, next] = [first.at(-1), second[0]]
  if (last !== undefined && next !== undefined && order(last, next) <= 0) return [...first, ...second]
  const merged: Entry[] = []
  let [at, merges] = [0, 0]
  for (const entry of first) {
    for (let next = second[at]; next !== undefined && order(entry, next) > 0; next = second[at]) {
      merged.push(next)
      at++
    }
    merged.push(entry)
    const turn = ++merges % MERGE_BATCH_SIZE === 0 ? yieldIfDue() : undefined
    if (turn) await turn
  }
  return merged.concat(second.slice(at))
}

/** Reading the clock takes as long as merging an entry. */
const MERGE_BATCH_SIZE = 16

/** Encodes strings as UTF-8, one after the other, long ones in steps. The result has its own memory. */
export async function encodeInSteps(texts: readonly string[]): Promise<Uint8Array> {
  let length = 0
  await eachPiece(texts, piece => {
    length += Buffer.byteLength(piece)
  })
  const bytes = new Uint8Array(length)
  // Not `TextEncoder.encodeInto`: since Node 25.4 it can omit the end of a string that just fits (nodejs/node#65994).
  const buffer = Buffer.from(bytes.buffer)
  let end = 0
  await eachPiece(texts, piece => {
    end += buffer.write(piece, end)
  })
  return bytes
}

async function eachPiece(texts: readonly string[], visit: (piece: string) => void): Promise<void> {
  for (const text of texts) {
    for (let start = 0; start < text.length; ) {
      const piece = text.slice(start, pieceEnd(text, start))
      visit(piece)
      start += piece.length
      const turn = yieldIfDue()
      if (turn) await turn
    }
  }
}

const PIECE_CHARACTERS = 256 << 10

/** Never splits a surrogate pair, because the character would be lost. */
function pieceEnd(text: string, start: number): number {
  const end = start + PIECE_CHARACTERS
  return (text.codePointAt(end - 1) ?? 0) > 0xffff ? end - 1 : end
}
