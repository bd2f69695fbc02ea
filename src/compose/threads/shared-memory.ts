import { limitMemory, sharedLimit } from '../../access/limit/limit-shared.ts'
import { maxConnections as connectionsFor, descriptorLimit } from '../../http/connections/connection-cap.ts'
import { addressMemory, sharedAddressCounts } from '../../http/connections/shared-address-counts.ts'
import type { Settings } from '../../settings.ts'
import type { SharedMemory } from './thread-calls.ts'

/** Memory for the threads of a service on these settings. */
export function sharedMemory({
  threads,
  rate,
  ratePublic,
  maxConnections,
  maxConnectionsPerAddress,
}: Settings & { threads: number }): SharedMemory {
  const connections = Math.min(maxConnections, connectionsFor(descriptorLimit()))
  return {
    rate: rate && limitMemory(rate),
    ratePublic: ratePublic && limitMemory(ratePublic),
    addresses: maxConnectionsPerAddress === undefined ? undefined : addressMemory(threads, connections),
    connections: new SharedArrayBuffer(threads * Int32Array.BYTES_PER_ELEMENT),
  }
}

/** Gives the function that frees what a thread that has ended had in shared memory. This thread uses it under a number of its own. */
export function endedIn(
  { rate, ratePublic, addresses, connections }: SharedMemory,
  own: number,
): (thread: number) => void {
  const limits = [rate, ratePublic].flatMap(memory => (memory ? sharedLimit(memory, own) : []))
  const counts = addresses && sharedAddressCounts(addresses, own)
  const open = new Int32Array(connections).fill(-1)
  return thread => {
    Atomics.store(open, thread - 1, -1)
    Atomics.notify(open, thread - 1)
    for (const limit of limits) limit.ended(thread)
    counts?.ended(thread)
  }
}
