import { DatabaseOutage } from '../../store-error.ts'
import { awaitAnswer, type Connection, type Servers } from './connect.ts'
import { explainError, isLostConnection, isSilence } from './outages.ts'

/** Asks a server whether it answers, on a connection of its own. */
export type Probe = { ask: () => Promise<void>; close: () => Promise<void> }

/** What is asked, and who is told after each answer whether the server was silent. */
type ProbeOptions = {
  question: (connection: Connection) => Promise<void>
  heard: (silence: DatabaseOutage | undefined) => void
}

/** Whoever asks while a question is under way gets its answer. */
export function openProbe({ connect, place }: Servers, { question, heard }: ProbeOptions): Probe {
  let connection: Connection | undefined
  let asking: Promise<void> | undefined
  const askOn = (asked: Connection) => {
    connection = asked
    return awaitAnswer(PROBE_MS, asked, question(asked))
  }
  const ask = async () => {
    try {
      await askOn(connection ?? (await connect())).catch(async error => {
        // Its connection was lost since the last question.
        if (!isLostConnection(error)) throw error
        await askOn(await connect())
      })
      heard(undefined)
    } catch (error) {
      connection?.drop()
      connection = undefined
      const explained = explainError(error, place)
      heard(explained instanceof DatabaseOutage && isSilence(explained) ? explained : undefined)
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

/** How long the server has to answer a question that takes it no time, in milliseconds. */
const PROBE_MS = 3000
