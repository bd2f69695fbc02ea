import type { Server } from 'node:http'
import type { Log } from '../telemetry/log.ts'
import { type Admission, openAdmission } from './admission.ts'

/** Opens the admission of requests to a server. `shed` is called for each that is refused; the log is told once a minute. */
export function admissionOf(server: Server, log: Log, shed: () => void): Admission {
  let loggedAt = Number.NEGATIVE_INFINITY
  const now = () => performance.now()
  const shedding = () => {
    shed()
    if (now() - loggedAt > LOG_AGAIN_MS) log.warn({}, OVERLOADED)
    loggedAt = now()
  }
  const admission = openAdmission({ now, nextTurn: work => void setImmediate(work), shedding })
  server.on('connection', () => admission.arrives(now()))
  return admission
}

const LOG_AGAIN_MS = 60_000
const OVERLOADED =
  'more is asked than this process can answer, and some requests get 503: add a process, or see who asks so much'
