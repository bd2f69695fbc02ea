import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { replyHeader } from '#platform/exchange/message.ts'
import type { Allowance, Limit, Rate } from '#serving/access/limit/limit-memory.ts'
import { rateHeaders } from '#serving/access/permitted-reply.ts'

/** Tests every limit with the real clock; `open` returns an unused one. */
export function limitSuite(
  options: { skip: string | false },
  open: (rate: Rate, after: (close: () => unknown) => void) => Limit | Promise<Limit>,
): void {
  const specify = (sentence: string, specified: (opened: (rate: Rate) => Promise<Limit>) => Promise<void>) =>
    test(sentence, options, t => specified(async rate => open(rate, close => t.after(close))))
  const spend = async (limit: Limit, workspace = 'acme') => limit.spend(workspace, Date.now())

  specify('every request counts until none is left, and then requests are refused', async opened => {
    const limit = await opened({ requests: 3, seconds: 60 })
    const seen: Allowance[] = []
    for (let request = 0; request < 5; request++) seen.push(await spend(limit))
    assert.deepEqual(limit.rate, { requests: 3, seconds: 60 })
    const expected = [2, 1, 0, 0, 0].map((remaining, index) => ({ isAllowed: index < 3, remaining, resetSeconds: 60 }))
    assert.deepEqual(seen, expected)
  })

  specify('several requests together are allowed or refused as a whole', async opened => {
    const limit = await opened({ requests: 5, seconds: 60 })
    const answers = []
    for (const requests of [6, 3, 3, 2, 2]) answers.push(await limit.spend('acme', Date.now(), requests))
    const [isAllowed, resetSeconds] = [true, 60]
    assert.deepEqual(answers, [
      { isAllowed: false, remaining: 5, resetSeconds },
      { isAllowed, remaining: 2, resetSeconds },
      { isAllowed: false, remaining: 2, resetSeconds },
      { isAllowed, remaining: 0, resetSeconds },
      { isAllowed: false, remaining: 0, resetSeconds },
    ])
  })

  specify('several requests together are allowed after they wait for Retry-After', async opened => {
    const limit = await opened({ requests: 3, seconds: 1 })
    await spend(limit)
    await sleep(400)
    for (let request = 0; request < 2; request++) await spend(limit)
    let answer = await limit.spend('acme', Date.now(), 3)
    // On a busy machine, a limit that waits for Redis may count for itself meanwhile.
    for (let wait = 0; wait < 3 && !answer.isAllowed; wait++) {
      await sleep(answer.resetSeconds * 1000)
      answer = await limit.spend('acme', Date.now(), 3)
    }
    assert.equal(answer.isAllowed, true)
  })

  specify('a workspace does not use the limit of another', async opened => {
    const limit = await opened({ requests: 1, seconds: 60 })
    const answers: Allowance[] = []
    for (const workspace of ['a', 'a', 'b', 'a:b']) answers.push(await spend(limit, workspace))
    const isAlloweds = answers.map(({ isAllowed }) => isAllowed)
    assert.deepEqual(isAlloweds, [true, false, true, true])
  })

  specify('concurrent requests count one by one', async opened => {
    const limit = await opened({ requests: 50, seconds: 60 })
    const answers = await Promise.all(Array.from({ length: 80 }, () => spend(limit)))
    const seen = answers.map(({ isAllowed, remaining }) => ({ isAllowed, remaining }))
    const expected = answers.map((_, index) => ({ isAllowed: index < 50, remaining: Math.max(0, 49 - index) }))
    assert.deepEqual(seen, expected)
  })

  specify('the only client of a workspace is allowed after it waits for Retry-After', async opened => {
    const limit = await opened({ requests: 2, seconds: 1 })
    let answer = await spend(limit)
    while (answer.isAllowed) answer = await spend(limit)
    const retryAfter = replyHeader(rateHeaders(limit.rate, answer), 'retry-after')
    assert.equal(retryAfter, '1')
    // Two clocks may differ by some milliseconds in a second.
    await sleep(Number(retryAfter) * 1000 + 50)
    assert.equal((await spend(limit)).isAllowed, true)
  })
}
