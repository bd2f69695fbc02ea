/** Lets so much work run at once; what comes later waits for its turn. */
export type Turns = {
  /** Runs work in its turn. Throws if it has waited too long. */
  take: <Value>(work: () => Promise<Value>) => Promise<Value>
  /** Has all that waits now fail with this error. */
  refuse: (error: unknown) => void
  waiting: () => number
}

/** First come, first served. `late` makes the error of what has waited for so many milliseconds. */
export function openTurns(max: number, waitMs: number, late: () => Error): Turns {
  const queue: { begin: () => void; refuse: (error: unknown) => void }[] = []
  let running = 0
  const wait = () =>
    new Promise<void>((resolve, reject) => {
      const refuse = (error: unknown) => {
        clearTimeout(timer)
        reject(error)
      }
      const begin = () => {
        clearTimeout(timer)
        resolve()
      }
      const place = { begin, refuse }
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(place), 1)
        reject(late())
      }, waitMs)
      queue.push(place)
    })
  return {
    take: async work => {
      if (running < max) running++
      else await wait()
      try {
        return await work()
      } finally {
        const next = queue.shift()
        if (next) next.begin()
        else running--
      }
    },
    refuse: error => {
      for (const { refuse } of queue.splice(0)) refuse(error)
    },
    waiting: () => queue.length,
  }
}
