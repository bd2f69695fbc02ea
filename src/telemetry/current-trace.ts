import { AsyncLocalStorage } from 'node:async_hooks'
import type { TraceContext } from './trace-context.ts'

const traces = new AsyncLocalStorage<TraceContext>()

/** Runs work for a request of this trace: its log lines name the trace, and so do its outgoing requests. */
export function withTrace<Value>(trace: TraceContext, work: () => Value): Value {
  return traces.run(trace, work)
}

/** Returns the trace of the running code; undefined if none was named. */
export function currentTrace(): TraceContext | undefined {
  return traces.getStore()
}
