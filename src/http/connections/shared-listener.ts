import { fork } from 'node:child_process'
import { createServer, type Server } from 'node:net'
import { extname } from 'node:path'
import { kill } from '../../processes/sandbox.ts'
import { takeTurns } from './accept-turns.ts'
import { listenAt } from './listen-at.ts'

/** A socket that listens and that nobody accepts from, until threads do. */
export type SharedListener = {
  host: string
  port: number
  /** Its number. It stays valid until the socket is closed. */
  descriptor: number
  /** From now on connections wait only while a thread listens. */
  close: () => void
}

/**
 * Listens for threads, which get a descriptor each by `ownDescriptor`. Connections wait in the queue of the system until
 * one of them listens, also while some of them end and others start.
 */
export async function openSharedListener(host: string, port: number): Promise<SharedListener> {
  const server = createServer()
  const { promise, resolve, reject } = Promise.withResolvers<{ port: number; handle: unknown }>()
  server.once('error', reject)
  server.listen(port, host, () => {
    // The other process has the socket as soon as it starts, and this server has accepted nothing by then.
    const own = ownDescriptor(descriptorOf(Reflect.get(server, '_handle')))
    const actualPort = portOf(server)
    own.then(handle => resolve({ port: actualPort, handle }), reject)
    server.close()
  })
  const opened = await promise
  return {
    host,
    port: opened.port,
    descriptor: descriptorOf(opened.handle),
    close: () => closeHandle(opened.handle),
  }
}

/** How a thread listens that is one of several on a socket. */
export type SharedListening = {
  /** Gives a descriptor of the socket, which is this thread's own. */
  ownDescriptor: () => Promise<unknown>
  /** How many connections each thread has, and the place of this thread in it. */
  counts: Int32Array
  place: number
  /** Resolves when nobody but the threads holds the socket any more, so that they may stop listening. */
  released: () => Promise<unknown>
  /** To be called when this thread listens no more. Resolves when none does. */
  allClosed: () => Promise<unknown>
}

/** Has a server listen: on a socket that threads share, or on one of its own. */
export async function beginListening(
  server: Server,
  { host, port, shared }: { host: string; port: number; shared?: SharedListening | undefined },
): Promise<void> {
  if (shared) takeTurns(server, shared.counts, shared.place)
  const socket = await shared?.ownDescriptor()
  if (socket === undefined) return listenAt(server, host, port)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(socket, resolve)
  })
}

/**
 * Gives a descriptor of the caller's own for a socket that listens, as a handle that `Server.listen` takes. Another process
 * inherits the socket and sends it back: a number that two handles had would be closed twice, the second time perhaps when
 * it is that of something else.
 */
export async function ownDescriptor(descriptor: number): Promise<unknown> {
  const program = new URL(`./listener-source-process${extname(import.meta.url)}`, import.meta.url)
  const child = fork(program, {
    env: {},
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc', descriptor], // The last is descriptor 4 of that process.
  })
  const limit = setTimeout(() => child.kill('SIGKILL'), MAX_START_MS)
  try {
    return await new Promise((resolve, reject) => {
      const fail = (cause?: unknown) => reject(new Error(FAILED, { cause }))
      child.once('error', fail)
      child.once('disconnect', fail)
      child.once('message', (_, handle) => (handle === undefined ? fail() : resolve(handle)))
    })
  } finally {
    clearTimeout(limit)
    await kill(child)
  }
}

/** A process takes seconds to start on a busy machine. */
const MAX_START_MS = 10_000
const FAILED =
  'the process that hands on the listening socket has failed: see that memory and file descriptors are left'

/** The port that a server listens on. */
export function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no address')
  return address.port
}

function descriptorOf(handle: unknown): number {
  const descriptor: unknown = handle instanceof Object ? Reflect.get(handle, 'fd') : undefined
  if (typeof descriptor !== 'number' || descriptor < 0) throw new Error('the listening socket has no descriptor')
  return descriptor
}

function closeHandle(handle: unknown): void {
  if (handle instanceof Object) Reflect.apply(Reflect.get(handle, 'close'), handle, [])
}
