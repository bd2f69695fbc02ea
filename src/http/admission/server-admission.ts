import type { Server } from 'node:net'
import type { Log } from '../../telemetry/log.ts'
import { onceAMinute } from '../../telemetry/once-a-minute.ts'
import { type Admission, openAdmission } from './admission.ts'

/** Opens the admission of requests to a server. `shed` is called for each that is refused. */
export function admissionOf(server: Server, log: Log, shed: () => void): Admission {
  const warn = onceAMinute(() => log.warn({}, OVERLOADED))
  const now = () => performance.now()
  const shedding = () => {
    shed()
    warn()
  }
  const admission = openAdmission({ now, nextTurn: work => void setImmediate(work), shedding })
  server.on('connection', () => admission.arrives(now()))
  return admission
}

const OVERLOADED =
  'more is asked than this process can answer, and some requests get 503: add a process, or see who asks so much'
