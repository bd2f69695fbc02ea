import { openRedisLimit } from '#serving/access/limit/limit-redis.ts'
import { limitsAt } from '../../../support/redis.ts'
import { askWithoutPause } from './windows.ts'

/*
 * A process that sends requests without pause: ADDRESS REQUESTS SECONDS FOR_MS. It sends its observations to its
 * parent.
 */
const [address = '', requests, seconds, forMs] = process.argv.slice(2)
const limit = await openRedisLimit({ requests: Number(requests), seconds: Number(seconds) }, limitsAt(address))
const seen = await askWithoutPause(4, Number(forMs), async () => (await limit.spend('acme', 0)).isAllowed)
limit.close()
process.send?.(seen)
