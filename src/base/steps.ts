/**
 * Waits for a turn of the event loop that no other caller gets. Callers take turns, so that a request waits for one
 * step of one of them, no matter how many there are.
 */
export function nextTurn(): Promise<void> {
  return new Promise(resolve => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(beginTurn)
  })
}

/**
 * Waits for the next turn of the event loop if this one has taken its time; undefined if it has not. Who makes something
 * long calls it after each entry: all who work in one turn share its time, so that a step is as long as others may wait,
 * whatever the machine and whatever is in the entries.
 */
export function yieldIfDue(): Promise<void> | undefined {
  endsAt ??= endOfWork()
  return performance.now() < endsAt ? undefined : nextTurn()
}

/** An entry is worked on to its end, and V8 collects garbage besides: no request is to wait for more than 10 ms. */
const TURN_MS = 2

const waiting: (() => void)[] = []
/** When the time of this turn is over; undefined until somebody works in it. */
let endsAt: number | undefined

function beginTurn(): void {
  endsAt = endOfWork()
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(beginTurn)
}

/** The time is shared by all who work until the event loop comes round. */
function endOfWork(): number {
  const end = performance.now() + TURN_MS
  setImmediate(() => {
    if (endsAt === end) endsAt = undefined
  })
  return end
}

/** Maps entries, and gives way to others between them. */
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

/** The entries in an order, as `toSorted` gives them. Gives way to others between small parts, and between entries that are merged. */
export async function sortInSteps<Entry>(
  entries: readonly Entry[],
  order: (a: Entry, b: Entry) => number,
): Promise<readonly Entry[]> {
  if (entries.length <= SORTED_AT_ONCE) {
    await yieldIfDue()
    return entries.toSorted(order)
  }
  const middle = entries.length >> 1
  const first = await sortInSteps(entries.slice(0, middle), order)
  const second = await sortInSteps(entries.slice(middle), order)
  return mergeInSteps(first, second, order)
}

const SORTED_AT_ONCE = 500

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
    const turn = ++merges % MERGED_AT_ONCE === 0 ? yieldIfDue() : undefined
    if (turn) await turn
  }
  return merged.concat(second.slice(at))
}

/** To ask for the time takes as long as to merge an entry. */
const MERGED_AT_ONCE = 16

/** Encodes texts one after the other as UTF-8, long ones in steps. The bytes do not share their memory. */
export async function encodeInSteps(texts: readonly string[]): Promise<Uint8Array> {
  let length = 0
  await eachPiece(texts, piece => {
    length += Buffer.byteLength(piece)
  })
  const bytes = new Uint8Array(length)
  // Not `TextEncoder.encodeInto`: in Node 25.4 and later, it can leave out the end of a text that just fits (nodejs/node#65994).
  const buffer = Buffer.from(bytes.buffer)
  let written = 0
  await eachPiece(texts, piece => {
    written += buffer.write(piece, written)
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

const CHARACTERS_AT_ONCE = 256 << 10

/** Never between the two halves of a character beyond U+FFFF, which would be lost. */
function pieceEnd(text: string, start: number): number {
  const end = start + CHARACTERS_AT_ONCE
  return (text.codePointAt(end - 1) ?? 0) > 0xffff ? end - 1 : end
}
