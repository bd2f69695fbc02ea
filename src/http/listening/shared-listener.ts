import { fork } from 'node:child_process'
import { createServer } from 'node:net'
import { extname } from 'node:path'
import { kill } from '../../processes/sandbox.ts'
import { beginListening, closeSocket, handleOf, ownSocket, portOf } from './listening-socket.ts'

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
  await beginListening(server, ownSocket(server, host, port))
  // The other process has the socket as soon as it starts, and this server has accepted nothing by then.
  const opening = ownDescriptor(descriptorOf(handleOf(server)))
  const actualPort = portOf(server)
  server.close()
  const socket = await opening
  return { host, port: actualPort, descriptor: descriptorOf(socket), close: () => closeSocket(socket) }
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

function descriptorOf(handle: unknown): number {
  const descriptor: unknown = handle instanceof Object ? Reflect.get(handle, 'fd') : undefined
  if (typeof descriptor !== 'number' || descriptor < 0) throw new Error('the listening socket has no descriptor')
  return descriptor
}
