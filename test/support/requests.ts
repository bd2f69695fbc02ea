import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** A reply. */
export type Answer = { status: number; headers: Readonly<Record<string, unknown>>; text: string }

/** Sends a request with the options of node:http; rejects without a complete reply. */
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

/** Repeats a request until it is stopped, with a pause after each reply. */
export function keepAsking(question: () => Promise<unknown>, pauseMs = 50): { stop: () => Promise<void> } {
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

/** A reply, and the time of its request (`performance.now()`). */
export type Sample = { asked: number; said: string }

/** Sends the same request to each node repeatedly. */
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
    }, 150)
  })
  const stop = async () => {
    await Promise.all(askers.map(asker => asker.stop()))
    agent.destroy()
  }
  return { samples, stop }
}
