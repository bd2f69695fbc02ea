/**
 * Waits for a turn of the event loop that no other work has: what asks for a turn gets one after the other, so that
 * however many things are made at once, others wait for one step of one of them.
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

/** Counts the work that is done, in any unit, and waits for a turn whenever so much of it was done in one. */
export function pacing(mostAtOnce: number): (work: number) => Promise<void> | undefined {
  let done = 0
  return work => {
    done += work
    if (done < mostAtOnce) return undefined
    done = 0
    return nextTurn()
  }
}

/** Makes something of each entry, of so many in a turn of the event loop. */
export async function inSteps<Entry, Value>(
  entries: Iterable<Entry>,
  mostAtOnce: number,
  make: (entry: Entry, at: number) => Value,
): Promise<Value[]> {
  const pace = pacing(mostAtOnce)
  const made: Value[] = []
  for (const entry of entries) {
    made.push(make(entry, made.length))
    const turn = pace(1)
    if (turn) await turn
  }
  return made
}
