import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { extname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { kill, setKeepsAlive } from '../../processes/sandbox.ts'

/** A process that holds the listening socket of a server, so that the server may let go of it for a while. */
export type ListenerHolder = {
  /** Starts the process, so that it is there in time. */
  start: () => Promise<void>
  /** Sends the socket of a server that listens to the process, which holds it as soon as it runs. */
  handOver: () => void
  /**
   * Stops listening: from now on, new connections wait in the queue of the system. Does nothing until the process holds
   * the socket.
   */
  release: () => void
  /**
   * Listens again, soon. If the process has ended, the connections that waited are lost, and the server opens a new
   * socket.
   */
  takeBack: () => void
  end: () => Promise<void>
}

/** Makes a holder; `held` is called when the process has the socket. */
export function makeListenerHolder(server: Server, held: () => void): ListenerHolder {
  let child: ChildProcess | undefined
  let state: 'free' | 'offered' | 'held' = 'free'
  let address = server.address()
  const { ask, answered } = askOnce(server)
  const takes = () => {
    state = 'held'
    held()
  }
  const givesBack = (socket: unknown) => {
    answered() // If no descriptor was left for the socket, it is asked for again.
    if (server.listening) closeSocket(socket)
    else if (socket !== undefined) server.listen(socket)
  }
  const forget = (gone: ChildProcess) => {
    if (child !== gone) return
    answered()
    child = undefined
    state = 'free'
    letGo(gone)
  }
  const started = () => {
    child ??= startProcess({ takes, givesBack, forget })
    return child
  }
  return {
    start: () => untilReady(started()),
    handOver: () => {
      if (state !== 'free' || !server.listening) return
      address = server.address()
      state = 'offered'
      Reflect.apply(started().send, started(), ['hold', socketOf(server), ignore])
    },
    release: () => {
      if (state === 'held') NetServer.prototype.close.call(server)
    },
    takeBack: () => {
      const holding = child
      if (!ask(() => holding?.kill('SIGKILL'))) return
      if (holding) holding.send('give back', ignore)
      else if (address instanceof Object) server.listen(address.port, address.address)
    },
    end: async () => {
      answered()
      state = 'free'
      const ending = child
      child = undefined
      if (ending) await kill(ending)
    },
  }
}

/**
 * Keeps a question from being asked again before its answer. A server that listens counts as an answer. `ask` gives
 * true if the question is to be asked now.
 */
function askOnce(server: Server) {
  let asked: NodeJS.Timeout | undefined
  const answered = () => {
    clearTimeout(asked)
    asked = undefined
  }
  const ask = (tooLate: () => void) => {
    if (asked) return false
    asked = setTimeout(() => {
      answered()
      tooLate()
    }, MAX_ANSWER_MS)
    return true
  }
  server.on('listening', answered)
  server.on('error', answered)
  return { ask, answered }
}

/** A process that has not given the socket back by then hangs. It is killed, and the socket is lost. */
const MAX_ANSWER_MS = 2000

/** Waits until the process runs, which takes seconds on a busy machine. Only the wait keeps this process alive. */
async function untilReady(child: ChildProcess): Promise<void> {
  const waiting = new AbortController()
  await Promise.race([once(child, 'message'), sleep(MAX_START_MS, undefined, waiting)])
  waiting.abort()
}

const MAX_START_MS = 10_000

type ChildEvents = {
  takes: () => void
  givesBack: (socket: unknown) => void
  forget: (gone: ChildProcess) => void
}

function startProcess({ takes, givesBack, forget }: ChildEvents): ChildProcess {
  const program = new URL(`./listener-process${extname(import.meta.url)}`, import.meta.url)
  const child = fork(program, { env: {}, execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  child.on('message', (message, socket) => {
    if (message === 'held') takes()
    if (message === 'given back') givesBack(socket)
  })
  child.on('error', () => forget(child))
  child.on('exit', () => forget(child))
  setKeepsAlive(child, false)
  return child
}

/** Releases a socket that was on its way to the process. Otherwise its port would stay taken. */
function letGo(gone: ChildProcess): void {
  gone.kill('SIGKILL')
  if (gone.connected) gone.disconnect()
}

/** If the server itself were sent, the other process would accept connections too. */
function socketOf(server: Server): unknown {
  return Reflect.get(server, '_handle')
}

/** Otherwise a socket that nobody listens on would keep its descriptor. */
function closeSocket(socket: unknown): void {
  if (socket instanceof Object) Reflect.apply(Reflect.get(socket, 'close'), socket, [])
}

/** The callback of `send`: an ended process is handled in the event `exit`. */
function ignore(): void {}
