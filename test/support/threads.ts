import { Agent } from 'node:http'
import { type Answer, ask } from './requests.ts'

/**
 * The `--threads` with which tests start services, as the environment of the tests says: `HOUSESTYLE_TEST_THREADS=2 npm
 * test -- 'test/http/**'` runs what they hold with two threads. Empty if it does not say.
 */
export const THREADS = process.env.HOUSESTYLE_TEST_THREADS ?? ''

/**
 * Asks until every thread of a service that tests have started has answered, so that each has the answer in memory. Gives
 * the last answer of each.
 */
export async function askEachThread(url: string, options: { headers?: object } = {}): Promise<Answer[]> {
  const answers = new Map<string, Answer>()
  while (answers.size < Number(THREADS || 1)) {
    const connections = Array.from({ length: 8 }, () => ask(url, { ...options, agent: new Agent() }))
    for (const answer of await Promise.all(connections)) answers.set(threadOf(answer), answer)
  }
  return [...answers.values()]
}

/** The thread that answered: the ids of its requests begin as those of no other. */
export function threadOf({ headers }: Answer): string {
  return String(headers['x-request-id']).slice(0, 8)
}
