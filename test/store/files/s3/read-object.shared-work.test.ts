import assert from 'node:assert/strict'
import test from 'node:test'
import { sharedWork } from '#store/files/s3/read-object.ts'

/** Work that a test can end with a result or an error. */
function openWork() {
  const shared = sharedWork<string>()
  const begun: { ending: AbortSignal; end: (value: string) => void; fail: (error: Error) => void }[] = []
  const ask = (signal?: AbortSignal) =>
    shared(
      'key',
      ending => {
        const { promise, resolve, reject } = Promise.withResolvers<string>()
        begun.push({ ending, end: resolve, fail: reject })
        return promise
      },
      signal,
    )
  return { begun, ask }
}

test('work runs once for all concurrent callers, and again for later ones', async () => {
  const { begun, ask } = openWork()
  const asked = [ask(), ask()]
  begun[0]?.end('first')
  assert.deepEqual(await Promise.all(asked), ['first', 'first'])
  const later = ask()
  begun[1]?.fail(new Error('fails'))
  await assert.rejects(later, /fails/)
  assert.equal(begun.length, 2)
})

test('a caller that leaves gets its reason at once, and the work ends when no caller is left', async () => {
  const { begun, ask } = openWork()
  const [one, other] = [new AbortController(), new AbortController()]
  const [first, second] = [ask(one.signal), ask(other.signal)]
  one.abort(new Error('has left'))
  await assert.rejects(first, /has left/)
  assert.equal(begun[0]?.ending.aborted, false)
  other.abort(new Error('has left as well'))
  await assert.rejects(second, /has left as well/)
  assert.equal(begun[0]?.ending.aborted, true)
  await assert.rejects(ask(AbortSignal.abort(new Error('was gone'))), /was gone/)
  assert.equal(begun.length, 1)
})
