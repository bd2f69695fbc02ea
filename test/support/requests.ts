import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** What a reply said. */
export type Answer = { status: number; headers: Readonly<Record<string, unknown>>; text: string }

/** A request with the options of node:http; it rejects if no whole reply comes. */
export function ask(url: string, options: object = {}, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, options, reply => {
      let text = ''
      reply.setEncoding('utf8')
      reply.on('data', piece => {
        text += piece
      })
      reply.on('error', reject)
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Asks one question after the other, each some milliseconds after the last answer, until it is stopped. */
export function keepAsking(question: () => Promise<unknown>, pauseMs = 10): { stop: () => Promise<void> } {
  let isStopping = false
  const asking = (async () => {
    for (; !isStopping; await sleep(pauseMs)) await question()
  })()
  return {
    stop: () => {
      isStopping = true
      return asking
    },
  }
}

/** What a question was answered, and when it was asked (`performance.now()`). */
export type Sample = { asked: number; said: string }

/** Asks the same of each node all the time. */
export function watchNodes(
  urls: readonly string[],
  question: (url: string, agent: Agent) => Promise<string>,
): { samples: ReadonlyMap<string, Sample[]>; stop: () => Promise<void> } {
  const agent = new Agent({ keepAlive: true })
  const samples = new Map<string, Sample[]>()
  const askers = urls.map(url => {
    const own: Sample[] = []
    samples.set(url, own)
    return keepAsking(async () => {
      const asked = performance.now()
      own.push({ asked, said: await question(url, agent) })
    }, 20)
  })
  const stop = async () => {
    await Promise.all(askers.map(asker => asker.stop()))
    agent.destroy()
  }
  return { samples, stop }
}
