/**
 * A queue in which connections take turns, those without queued requests first (FQ-CoDel, RFC 8290 §4.1): a client with
 * occasional requests hardly waits for clients that send many at once. Unlike in the RFC, every fourth turn goes to the
 * others, so that an endless stream of new connections does not starve them.
 */
export type FairQueue<Task> = {
  size: () => number
  add: (connection: object, task: Task) => void
  /**
   * Takes the next task out of the queue. `isStanding` is true if tasks on its list waited too long, for longer than a
   * burst.
   */
  take: (nowMs: number) => { task: Task; isStanding: boolean } | undefined
}

/** Makes a queue; `sinceMs` is the time since which a task has waited. */
export function fairQueue<Task extends { sinceMs: number }>(): FairQueue<Task> {
  const lists = { fresh: newList<Task>(), old: newList<Task>() }
  const flows = new Map<object, Flow<Task>>()
  let [size, picks] = [0, 0]
  const pick = () => {
    picks++
    const order = picks % 4 === 0 ? [lists.old, lists.fresh] : [lists.fresh, lists.old]
    for (const list of order) for (const flow of list.flows) return { list, flow }
    return undefined
  }
  const take: FairQueue<Task>['take'] = nowMs => {
    for (let picked = pick(); picked; picked = pick()) {
      const { list, flow } = picked
      list.flows.delete(flow)
      const task = flow.tasks.shift()
      if (!task) {
        flows.delete(flow.connection)
        continue
      }
      size--
      lists.old.flows.add(flow)
      return { task, isStanding: isStanding(list, nowMs - task.sinceMs, nowMs) }
    }
    return undefined
  }
  const add = (connection: object, task: Task) => {
    const flow = flows.get(connection) ?? { connection, tasks: [] }
    if (!flows.has(connection)) lists.fresh.flows.add(flow)
    flows.set(connection, flow)
    flow.tasks.push(task)
    size++
  }
  return { size: () => size, add, take }
}

/** The tasks of a connection, oldest first. */
type Flow<Task> = { connection: object; tasks: Task[] }

/** Connections in the order of their turns, and the time since which all tasks taken from this list were late. */
type List<Task> = { flows: Set<Flow<Task>>; lateSince: number | undefined }

function newList<Task>(): List<Task> {
  return { flows: new Set(), lateSince: undefined }
}

/** CoDel (RFC 8289 §4.2): a queue is only a burst if some task recently waited less than the target. */
function isStanding<Task>(list: List<Task>, waitedMs: number, nowMs: number): boolean {
  if (waitedMs < TARGET_MS) list.lateSince = undefined
  else list.lateSince ??= nowMs
  return list.lateSince !== undefined && nowMs - list.lateSince >= INTERVAL_MS
}

/** The maximum time that a task may wait, except in a burst that ends within `INTERVAL_MS`. */
export const TARGET_MS = 200
export const INTERVAL_MS = 500
