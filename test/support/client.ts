import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { requestText } from './socket.ts'

/** The outcome of a request: a status, a refused connection, or a lost request. */
export type Outcome = number | 'refused' | 'lost'

/** A client that repeats a request: the outcomes so far, and a promise that resolves at its end. */
export type Asking = { outcomes: readonly Outcome[]; ended: Promise<void> }

/**
 * Repeats a request without pauses until a connection is refused. A client that keeps connections alive uses each one
 * until a reply closes it.
 */
export function askUntilRefused(port: number, line: string, fields: readonly string[], body = ''): Asking {
  const outcomes: Outcome[] = []
  const text = requestText(line, fields, body).replace('Host: brand.test', 'Host: localhost')
  return { outcomes, ended: keepAsking(outcomes, port, text) }
}

async function keepAsking(outcomes: Outcome[], port: number, text: string): Promise<void> {
  for (;;) {
    const socket = await open(port)
    if (!socket) return void outcomes.push('refused')
    for (let isOpen = true; isOpen; ) {
      socket.write(text)
      const reply = await readReply(socket)
      outcomes.push(reply ? reply.status : 'lost')
      isOpen = reply !== undefined && !reply.closes
    }
    socket.destroy()
  }
}

async function open(port: number): Promise<Socket | undefined> {
  const socket = connect({ port, host: '127.0.0.1' })
  try {
    await once(socket, 'connect')
    socket.on('error', () => undefined)
    return socket
  } catch {
    return undefined
  }
}

async function readReply(socket: Socket): Promise<{ status: number; closes: boolean } | undefined> {
  let text = ''
  for (;;) {
    const head = /^HTTP\/1\.1 (\d+)[\s\S]*?\r\n\r\n/.exec(text)
    const length = Number(/\r\nContent-Length: (\d+)/.exec(head?.[0] ?? '')?.[1])
    if (head && text.length >= head[0].length + length)
      return { status: Number(head[1]), closes: /\r\nConnection: close/.test(head[0]) }
    const chunk = await nextChunk(socket)
    if (chunk === undefined) return undefined
    text += chunk
  }
}

function nextChunk(socket: Socket): Promise<string | undefined> {
  return new Promise(resolve => {
    const done = (chunk?: Buffer) => {
      socket.off('data', done)
      socket.off('close', ended)
      resolve(chunk?.toString('latin1'))
    }
    const ended = () => done()
    socket.on('data', done)
    socket.on('close', ended)
  })
}
