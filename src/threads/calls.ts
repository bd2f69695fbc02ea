/** What one side of a port does for the other, by name. */
type Work = Readonly<Record<string, (value: never) => unknown>>

/** The other side of a port: its work is called by name, and the promise settles as that work does. */
export type Calls<Theirs extends Work> = {
  call: <Name extends string & keyof Theirs>(
    name: Name,
    ...value: Parameters<Theirs[Name]>
  ) => Promise<Awaited<ReturnType<Theirs[Name]>>>
  /** The same without an answer. What is called first begins first. */
  tell: <Name extends string & keyof Theirs>(name: Name, ...value: Parameters<Theirs[Name]>) => void
  /** Calls that wait for an answer fail from now on, and so do further ones. */
  end: (why: Error) => void
}

/** A port to a thread, or a thread as seen by the one that started it. */
type Port = {
  postMessage: (message: unknown) => void
  on: (event: 'message', listener: (message: Message) => void) => unknown
}

type Message =
  | { kind: 'call'; name: string; value: never; id: number | undefined }
  | { kind: 'value'; id: number; value: never }
  | { kind: 'error'; id: number; error: Error }

/** Opens one side of a port. Arguments and results are copied (HTML Standard §2.7.3). */
export function openCalls<Theirs extends Work>(port: Port, workFor: (them: Calls<Theirs>) => Work): Calls<Theirs> {
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>()
  let [latest, ended]: [number, Error | undefined] = [0, undefined]
  const send = (name: string, id: number | undefined, [value]: readonly unknown[]) =>
    port.postMessage({ kind: 'call', name, value, id })
  port.on('message', message => {
    if (message.kind === 'call') return void answer(port, work, message)
    const asked = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.kind === 'value') asked?.resolve(message.value)
    else asked?.reject(message.error)
  })
  const them: Calls<Theirs> = {
    call: (name, ...value) => {
      if (ended) return Promise.reject(ended)
      const id = ++latest
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        send(name, id, value)
      })
    },
    tell: (name, ...value) => {
      if (!ended) send(name, undefined, value)
    },
    end: why => {
      ended = why
      for (const { reject } of waiting.values()) reject(why)
      waiting.clear()
    },
  }
  const work = workFor(them)
  return them
}

async function answer(port: Port, work: Work, { name, value, id }: Message & { kind: 'call' }): Promise<void> {
  try {
    const given = await work[name]?.(value)
    if (id !== undefined) port.postMessage({ kind: 'value', id, value: given })
  } catch (cause) {
    if (id === undefined) throw cause
    const error = cause instanceof Error ? cause : new Error(`${name} failed`, { cause })
    port.postMessage({ kind: 'error', id, error })
  }
}
