import { Agent } from 'node:http'
import { ask } from './requests.ts'
import { threadOf } from './threads.ts'

/**
 * Opens so many connections at once and asks something on each; gives how many each thread of the service took. The ids
 * of requests of a thread begin as those of no other.
 */
export async function threadShares(url: string, connections: number): Promise<number[]> {
  const clients = Array.from({ length: connections }, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    let thread = ''
    for (let time = 0; time < 3; time++) thread = threadOf(await ask(url, { agent }))
    return { agent, thread }
  })
  const taken = await Promise.all(clients)
  for (const { agent } of taken) agent.destroy()
  return Object.values(Object.groupBy(taken, ({ thread }) => thread)).map(each => each?.length ?? 0)
}
