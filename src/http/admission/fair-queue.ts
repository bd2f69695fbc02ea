/**
 * A queue in which connections take turns, those that had nothing in it first (FQ-CoDel, RFC 8290 §4.1): a client that asks
 * now and then hardly waits for those that send many requests at once. Unlike there, every fourth turn goes to the others, so
 * that an endless stream of connections that ask once does not keep them out.
 */
export type FairQueue<Task> = {
  size: () => number
  add: (connection: object, task: Task) => void
  /** Takes the next task out; tells whether tasks on its way waited longer than they may, for longer than a burst. */
  take: (nowMs: number) => { task: Task; isStanding: boolean } | undefined
}

/** Makes a queue; `sinceMs` says since when a task waits. */
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

/** The tasks of a connection, the first to come first. */
type Flow<Task> = { connection: object; tasks: Task[] }

/** Connections in the order of their turns, and since when whoever had a turn had waited too long. */
type List<Task> = { flows: Set<Flow<Task>>; lateSince: number | undefined }

function newList<Task>(): List<Task> {
  return { flows: new Set(), lateSince: undefined }
}

/** CoDel (RFC 8289 §4.2): a queue is a burst as long as someone who has a turn now and then has waited less. */
function isStanding<Task>(list: List<Task>, waitedMs: number, nowMs: number): boolean {
  if (waitedMs < TARGET_MS) list.lateSince = undefined
  else list.lateSince ??= nowMs
  return list.lateSince !== undefined && nowMs - list.lateSince >= INTERVAL_MS
}

/** How long a task may wait, unless it is a burst that is over in `INTERVAL_MS`. */
export const TARGET_MS = 200
export const INTERVAL_MS = 500
