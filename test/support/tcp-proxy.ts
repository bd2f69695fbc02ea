import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A way to a server of this machine that can be made worse. */
export type TcpProxy = {
  port: number
  /** How many connections it was asked for. */
  asked: () => number
  /** From now on nothing passes, and connections stay open; `pass` lets through what has waited. */
  stall: () => void
  pass: () => void
  /** What is sent from now on arrives so many milliseconds later, in both directions. */
  delay: (milliseconds: number) => void
  close: () => Promise<void>
}

/** Passes connections on to a port of 127.0.0.1. */
export async function startTcpProxy(target: number): Promise<TcpProxy> {
  const open = new Set<Socket>()
  let delayMs = 0
  let passing = Promise.withResolvers<void>()
  passing.resolve()
  const pipe = (from: Socket, to: Socket) => {
    let last: Promise<unknown> = Promise.resolve()
    const inTurn = (act: () => void) => {
      const due = delayMs === 0 ? undefined : new Promise(resolve => setTimeout(resolve, delayMs))
      last = last.then(() => Promise.all([due, passing.promise])).then(act)
    }
    from.on('data', bytes => inTurn(() => to.write(bytes)))
    from.on('end', () => inTurn(() => to.end()))
    from.on('error', () => to.destroy())
  }
  let asked = 0
  const server = createServer({ allowHalfOpen: true }, client => {
    asked++
    const upstream = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true })
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on('close', () => open.delete(socket))
    }
    pipe(client, upstream)
    pipe(upstream, client)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  return {
    port: address.port,
    asked: () => asked,
    stall: () => {
      passing = Promise.withResolvers<void>()
    },
    pass: () => passing.resolve(),
    delay: milliseconds => {
      delayMs = milliseconds
    },
    close: async () => {
      passing.resolve()
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
