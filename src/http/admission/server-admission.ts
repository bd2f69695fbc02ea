import type { Server } from 'node:net'
import type { Log } from '../../telemetry/log.ts'
import { onceAMinute } from '../../telemetry/once-a-minute.ts'
import { type Admission, openAdmission } from './admission.ts'

/** Opens the request admission of a server. Calls `shed` for each refused request. */
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
  'this process is overloaded, and some requests get 503: run another process, or find the clients that send so many requests'
