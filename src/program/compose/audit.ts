import type { Settings } from '#platform/settings/settings.ts'
import { type Audit, openAudit } from '#platform/telemetry/access-event.ts'
import { openLog } from '#platform/telemetry/log.ts'

/** Opens the audit log of a command, which at a terminal reports its changes itself unless a log level is given. */
export function auditFor(
  settings: Settings & { isLogGiven: boolean },
  { err, isTerminal }: { err: (line: string) => void; isTerminal: boolean },
): Audit {
  return openAudit(openLog(err, isTerminal && !settings.isLogGiven ? 'warn' : settings.log, isTerminal))
}
