import { openRedisLimit } from '../../src/access/limit-redis.ts'
import type { Allowed } from './windows.ts'

/* A process that asks without pause, four requests at a time: ADDRESS REQUESTS SECONDS FOR_MS; sends what was allowed. */
const [address = '', requests, seconds, forMs] = process.argv.slice(2)
const limit = await openRedisLimit({ requests: Number(requests), seconds: Number(seconds) }, address)
const allowed: Allowed[] = []
const fromMs = Date.now()
const ask = async () => {
  for (let askedMs = fromMs; askedMs < fromMs + Number(forMs); ) {
    askedMs = Date.now()
    const { isAllowed } = await limit.spend('acme', 0)
    if (isAllowed) allowed.push([askedMs, Date.now()])
  }
}
await Promise.all([ask(), ask(), ask(), ask()])
limit.close()
process.send?.({ allowed, fromMs, toMs: fromMs + Number(forMs) })
