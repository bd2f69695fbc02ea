import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { extname } from 'node:path'
import { kill, setKeepsAlive } from '../../processes/sandbox.ts'

/** A process that holds the listening socket of a server, so that the server may let go of it for a while. */
export type ListenerHolder = {
  /** Starts the process, so that it is there in time. */
  start: () => Promise<void>
  /** Has the process hold the socket of a server that listens. */
  hold: () => void
  /** Stops listening: what connects from now on waits in the queue of the system. Does nothing where nobody holds the socket. */
  release: () => void
  /** Listens again, soon; on a socket of its own where the process is lost, and with it those that waited. */
  takeBack: () => void
  end: () => Promise<void>
}

/** Makes a holder. */
export function makeListenerHolder(server: Server): ListenerHolder {
  let child: ChildProcess | undefined
  let isHeld = false
  let address = server.address()
  const { ask, answered } = askOnce()
  server.on('listening', answered)
  server.on('error', answered)
  const returned = (socket: unknown) => {
    answered() // If no descriptor was left for it, it is asked for again.
    if (server.listening) closeSocket(socket)
    else if (socket !== undefined) server.listen(socket)
  }
  const forget = (gone: ChildProcess) => {
    if (child !== gone) return
    answered()
    child = undefined
    isHeld = false
    gone.kill('SIGKILL')
    if (gone.connected) gone.disconnect() // A socket that was on its way is let go of, or its port would stay taken.
  }
  const started = () => {
    child ??= startProcess(returned, forget)
    return child
  }
  return {
    start: async () => void (await once(started(), 'spawn')),
    hold: () => {
      if (isHeld || !server.listening) return
      address = server.address()
      isHeld = Reflect.apply(started().send, started(), ['hold', socketOf(server), ignore])
    },
    release: () => {
      if (child && isHeld) NetServer.prototype.close.call(server)
    },
    takeBack: () => {
      const holding = child
      if (!ask(() => holding?.kill('SIGKILL'))) return
      if (holding) holding.send('give back', ignore)
      else if (address instanceof Object) server.listen(address.port, address.address)
    },
    end: async () => {
      answered()
      const ending = child
      child = undefined
      if (ending) await kill(ending)
    },
  }
}

/** Has something be asked for once until it is answered, or an answer is too late: `ask` says whether it may be. */
function askOnce() {
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
  return { ask, answered }
}

/** A process that has not given the socket back by then is stopped, or worse: it is ended, and counts as lost. */
const MAX_ANSWER_MS = 2000

function startProcess(returned: (socket: unknown) => void, gone: (child: ChildProcess) => void): ChildProcess {
  const program = new URL(`./listener-process${extname(import.meta.url)}`, import.meta.url)
  const child = fork(program, { env: {}, execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  child.on('message', (_, socket) => returned(socket))
  child.on('error', () => gone(child))
  child.on('exit', () => gone(child))
  setKeepsAlive(child, false)
  return child
}

/** Sending the server itself would have the other process accept as well. */
function socketOf(server: Server): unknown {
  return Reflect.get(server, '_handle')
}

/** One that nobody listens on would take a descriptor for ever. */
function closeSocket(socket: unknown): void {
  if (socket instanceof Object) Reflect.apply(Reflect.get(socket, 'close'), socket, [])
}

/** A process that has ended is told of by its end. */
function ignore(): void {}
