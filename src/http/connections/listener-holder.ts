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
  const forget = (gone: ChildProcess) => {
    if (child !== gone) return
    child = undefined
    isHeld = false
    gone.kill('SIGKILL')
    if (gone.connected) gone.disconnect() // A socket that was on its way is let go of, or its port would stay taken.
  }
  const started = () => {
    child ??= startProcess(server, forget)
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
      if (child) child.send('give back', ignore)
      else if (address instanceof Object) server.listen(address.port, address.address)
    },
    end: async () => {
      const ending = child
      child = undefined
      if (ending) await kill(ending)
    },
  }
}

function startProcess(server: Server, gone: (child: ChildProcess) => void): ChildProcess {
  const program = new URL(`./listener-process${extname(import.meta.url)}`, import.meta.url)
  const child = fork(program, { env: {}, execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  child.on('message', (_, socket) => {
    if (socket !== undefined && !server.listening) server.listen(socket) // Where no descriptor was left for it, it is asked for again.
  })
  child.on('error', () => gone(child))
  child.on('exit', () => gone(child))
  setKeepsAlive(child, false)
  return child
}

/** Sending the server itself would have the other process accept as well. */
function socketOf(server: Server): unknown {
  return Reflect.get(server, '_handle')
}

/** A process that has ended is told of by its end. */
function ignore(): void {}
