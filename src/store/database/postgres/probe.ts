import { DatabaseOutage } from '../../store-error.ts'
import { awaitAnswer, type Connection, type Servers } from './connect.ts'
import { explainError, isLostConnection, isSilence } from './outages.ts'

/** Checks on its own connection whether a server answers. */
export type Probe = { ask: () => Promise<void>; close: () => Promise<void> }

/** `question` is the query to send; `onAnswer` is called after each check with the outage if the server was silent. */
type ProbeOptions = {
  question: (connection: Connection) => Promise<void>
  onAnswer: (silence: DatabaseOutage | undefined) => void
}

/** Opens a probe. Concurrent callers share one check. */
export function openProbe({ connect, place }: Servers, { question, onAnswer }: ProbeOptions): Probe {
  let connection: Connection | undefined
  let asking: Promise<void> | undefined
  const sendQuestion = (target: Connection) => {
    connection = target
    return awaitAnswer(PROBE_MS, target, question(target))
  }
  const ask = async () => {
    try {
      await sendQuestion(connection ?? (await connect())).catch(async error => {
        // The connection was lost after the last check.
        if (!isLostConnection(error)) throw error
        await sendQuestion(await connect())
      })
      onAnswer(undefined)
    } catch (error) {
      connection?.drop()
      connection = undefined
      const explained = explainError(error, place)
      onAnswer(explained instanceof DatabaseOutage && isSilence(explained) ? explained : undefined)
      throw explained
    } finally {
      asking = undefined
    }
  }
  return {
    ask: () => {
      asking ??= ask()
      return asking
    },
    close: async () => {
      await asking?.catch(() => undefined)
      await connection?.end()
    },
  }
}

/** The time limit for an answer to a trivial query, in milliseconds. */
const PROBE_MS = 3000
