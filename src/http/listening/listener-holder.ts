import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { extname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { kill, setKeepsAlive } from '../../processes/sandbox.ts'
import { closeSocket, handleOf, type ListeningSocket } from './listening-socket.ts'

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
  /** Gives a new socket to a new process if the process has ended while it alone held the socket. */
  renew: () => void
  /** Ends the process. A socket that it is just giving back is not listened on any more. */
  end: () => Promise<void>
}

/** Makes a holder of the socket that the server listens on; `held` is called when the process has it. */
export function makeListenerHolder(server: Server, { open }: ListeningSocket, held: () => void): ListenerHolder {
  const { ask, answered } = askOnce(server)
  const listenOn = (socket: unknown) => {
    if (server.listening || holding.state() === 'ended') closeSocket(socket)
    else if (socket !== undefined) server.listen(socket)
  }
  const givesBack = (socket: unknown) => {
    answered() // If no descriptor was left for the socket, it is asked for again.
    listenOn(socket)
  }
  const holding = holdingProcess({ held, givesBack, exited: answered })
  const handOver = () => {
    if (server.listening) holding.offer(handleOf(server))
  }
  const listenAnew = () => void open().then(listenOn, error => server.emit('error', error))
  return {
    start: () => untilReady(holding.started()),
    handOver,
    release: () => {
      if (holding.state() === 'held') NetServer.prototype.close.call(server)
    },
    takeBack: () => {
      if (!ask(holding.kill)) return
      if (holding.state() === 'held') holding.askBack()
      else listenAnew()
    },
    renew: () => {
      if (holding.state() !== 'absent' || server.listening) return
      holding.started().once('message', () => {
        if (holding.state() !== 'running' || server.listening) return
        server.once('listening', handOver) // Before it accepts anything.
        listenAnew()
      })
    },
    end: async () => {
      answered()
      await holding.end()
    },
  }
}

type HoldingEvents = { held: () => void; givesBack: (socket: unknown) => void; exited: () => void }

/** The process that holds the socket, started anew after it has exited, and what is known of it. */
function holdingProcess({ held, givesBack, exited }: HoldingEvents) {
  let child: ChildProcess | undefined
  let state: 'absent' | 'running' | 'offered' | 'held' | 'ended' = 'absent'
  const takes = () => {
    if (state !== 'offered') return
    state = 'held'
    held()
  }
  const forget = (gone: ChildProcess) => {
    if (child !== gone) return
    child = undefined
    state = 'absent'
    letGo(gone)
    exited()
  }
  const started = () => {
    if (child) return child
    child = startProcess({ takes, givesBack, forget })
    state = 'running'
    return child
  }
  return {
    state: () => state,
    started,
    offer: (socket: unknown) => {
      if (state !== 'absent' && state !== 'running') return
      const holder = started()
      if (holder.pid === undefined) return // It could not be started, and has no channel.
      state = 'offered'
      Reflect.apply(holder.send, holder, ['hold', socket, ignore])
    },
    askBack: () => child?.send('give back', ignore),
    kill: () => child?.kill('SIGKILL'),
    end: async () => {
      state = 'ended'
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

/** The callback of `send`: an ended process is handled in the event `exit`. */
function ignore(): void {}
