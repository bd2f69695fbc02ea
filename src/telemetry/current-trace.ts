import { AsyncLocalStorage } from 'node:async_hooks'
import type { TraceContext } from './trace-context.ts'

const traces = new AsyncLocalStorage<TraceContext>()

/** Does work for a request of this trace: its lines in the log name the trace, and so do requests that it makes. */
export function withTrace<Value>(trace: TraceContext, work: () => Value): Value {
  return traces.run(trace, work)
}

/** The trace that the code now runs for; undefined if none was named. */
export function currentTrace(): TraceContext | undefined {
  return traces.getStore()
}
