import { parentPort, workerData } from 'node:worker_threads'
import { sharedLimit } from '../../../src/access/limit/limit-shared.ts'

/* A thread that asks without pause until nothing is left to any of these workspaces, and says how often it was allowed. */
const { memory, thread, workspaces, nowMs } = workerData
const limit = sharedLimit(memory, thread)
const isLeft = new Set<string>(workspaces)
let allowed = 0
while (isLeft.size > 0)
  for (const workspace of isLeft) {
    if (limit.spend(workspace, nowMs).isAllowed) allowed++
    else isLeft.delete(workspace)
  }
parentPort?.postMessage(allowed)
