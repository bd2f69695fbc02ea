import { setTimeout as sleep } from 'node:timers/promises'
import { type Answered, putLoad } from './load.ts'

/** The target and the load of a flood test. */
export type Flood = { port: number; path: string; token: string; perSecond: number; rounds: number; roundMs: number }

/** The rate of good replies without a flood and during one, and the replies to both kinds of requests. */
export type Flooded = { calm: number; flooded: number; good: Readonly<Record<number, number>>; bad: Answered }

/**
 * Sends good requests without a pause, and in every other round also a flood of bad tokens on kept connections: half
 * malformed, half well-formed, each with a different wrong signature.
 */
export async function flood({ port, path, token, perSecond, rounds, roundMs }: Flood): Promise<Flooded> {
  const good = { port, requests: [head(path, token)], connections: 8 }
  const bad = { port, requests: badTokens(token, perSecond).map(each => head(path, each)), connections: 16, perSecond }
  const totals = { calm: [0, 0], flooded: [0, 0] }
  const byStatus: Record<'good' | 'bad', Record<number, number>> = { good: {}, bad: {} }
  let floodedSeconds = 0
  for (let round = 0; round < 2 * rounds; round++) {
    const isFlood = round % 2 === 1
    const signal = AbortSignal.timeout(roundMs)
    const [answered, refused] = await Promise.all([putLoad(good, signal), isFlood ? putLoad(bad, signal) : undefined])
    add(byStatus.good, answered.byStatus)
    if (refused) {
      add(byStatus.bad, refused.byStatus)
      floodedSeconds += refused.seconds
    }
    const total = totals[isFlood ? 'flooded' : 'calm']
    total[0] = (total[0] ?? 0) + (answered.byStatus[200] ?? 0)
    total[1] = (total[1] ?? 0) + answered.seconds
    await sleep(50)
  }
  const rate = ([count = 0, seconds = 1]: readonly number[]) => count / seconds
  const floodAnswered = { seconds: floodedSeconds, byStatus: byStatus.bad }
  return { calm: rate(totals.calm), flooded: rate(totals.flooded), good: byStatus.good, bad: floodAnswered }
}

function add(to: Record<number, number>, from: Readonly<Record<number, number>>): void {
  for (const [status, count] of Object.entries(from)) to[Number(status)] = (to[Number(status)] ?? 0) + count
}

function head(path: string, token: string): string {
  return `HEAD ${path} HTTP/1.1\r\nHost: brand.test\r\nAuthorization: Bearer ${token}\r\n\r\n`
}

function badTokens(token: string, count: number): string[] {
  const [header = '', claims = ''] = token.split('.')
  return Array.from({ length: count }, (_, number) => {
    const signature = Buffer.alloc(64, 1)
    signature.writeUInt32BE(number, 60)
    return number % 2 === 0 ? `${header}.${number}` : `${header}.${claims}.${signature.toString('base64url')}`
  })
}
