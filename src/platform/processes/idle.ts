import { kill, type SandboxedProcess, setKeepAlive } from './sandbox.ts'

/** Idle processes of all pools, each for the next pool that needs its kind. They do not keep this process alive. */

const idle = new Map<string, { process: SandboxedProcess; timer: NodeJS.Timeout }[]>()

/** Keeps a process for `idleMs`, or a few seconds if there are others of this kind. */
export function giveIdle(kind: string, process: SandboxedProcess, idleMs: number): void {
  const others = idle.get(kind) ?? []
  const keptMs = others.length > 0 ? Math.min(idleMs, SPARE_MS) : idleMs
  const remove = () => {
    const index = others.findIndex(each => each.process === process)
    if (index >= 0) clearTimeout(others.splice(index, 1)[0]?.timer)
  }
  const timer = setTimeout(() => {
    remove()
    void kill(process.child)
  }, keptMs).unref()
  setKeepAlive(process.child, false)
  process.listeners = { exited: remove }
  others.push({ process, timer })
  idle.set(kind, others)
}

/** Takes the process of a kind that has been idle longest; undefined if there is none. */
export function takeIdle(kind: string): SandboxedProcess | undefined {
  const taken = idle.get(kind)?.shift()
  clearTimeout(taken?.timer)
  return taken?.process
}

/**
 * Ends all idle processes, and waits for them. Call at the end of a process: as orphans, they would stay as zombies if
 * the first process of a container is one that awaits only its own children.
 */
export async function endIdle(): Promise<void> {
  const processes = [...idle.values()].flat()
  idle.clear()
  for (const { timer } of processes) clearTimeout(timer)
  await Promise.all(processes.map(({ process }) => kill(process.child)))
}

/** Ends idle processes of any kind while their number leaves no room for another process. */
export function makeRoom(isFull: (idle: number) => boolean): void {
  for (const kind of idle.keys()) {
    while (countIdle(kind) > 0 && isFull(countIdle())) {
      const process = takeIdle(kind)
      if (process) void kill(process.child)
    }
  }
}

/** The number of idle processes of a kind, or of all kinds. */
export function countIdle(kind?: string): number {
  const lists = kind === undefined ? [...idle.values()] : [idle.get(kind) ?? []]
  return lists.reduce((sum, { length }) => sum + length, 0)
}

/** The time to keep an idle process if there are others. */
const SPARE_MS = 5000
