import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import test from 'node:test'

test('the space for new objects of a service stays small, however many objects it reads at once', () => {
  const [small, usual] = [
    megabytesAfter(`(await import(${JSON.stringify(SMALL_HEAP)})).keepHeapSmall()`),
    megabytesAfter(''),
  ]
  assert.ok(small <= 16, `${small} MB`)
  assert.ok(usual > 32, `${usual} MB without`)
})

test('the heap of a thread stays close to what is in use, if the one that sets the flags is told how large it is', () => {
  const [small, usual] = [threadMegabytes('bytes'), threadMegabytes('0')]
  assert.ok(small < usual / 1.3, `${small} MB, and ${usual} MB if it is not`)
})

/** How large the heap of a thread gets that replaces its objects, of some 60 MB, again and again. */
function threadMegabytes(told: string): number {
  const thread = `
    import { getHeapStatistics } from 'node:v8'
    import { parentPort } from 'node:worker_threads'
    const kept = Array.from({ length: 500_000 }, (_, at) => ({ at, next: [at, at] }))
    let most = 0
    const replace = round => {
      for (let at = round % 100; at < kept.length; at += 100) kept[at] = { at: round, next: [round, at] }
      most = Math.max(most, getHeapStatistics().used_heap_size)
      if (round < 300) setTimeout(replace, 1, round + 1)
      else parentPort.postMessage(most / 2 ** 20)
    }
    parentPort.once('message', () => {
      gc() // Only from the first one on does a heap grow by what the flags say.
      replace(0)
    })`
  const program = `
    import { Worker } from 'node:worker_threads'
    const worker = new Worker(${JSON.stringify(thread)}, { eval: true })
    worker.once('message', most => (console.log(most), process.exit()))
    let bytes = 0
    worker.once('online', () => setInterval(async () => { bytes = (await worker.getHeapStatistics()).used_heap_size }, 10));
    (await import(${JSON.stringify(SMALL_HEAP)})).keepHeapSmall(() => {
      if (bytes > 30 << 20) setImmediate(() => worker.postMessage('the flags are set'))
      return ${told}
    })`
  const options = ['--expose-gc', '--input-type=module', '--eval', program]
  return Number(execFileSync(process.execPath, options, { encoding: 'utf8' }))
}

const SMALL_HEAP = new URL('../../../../src/cli/commands/serve/small-heap.ts', import.meta.url)

/** How large the space is once long lists were read, in turns of the event loop as a service reads them. */
function megabytesAfter(start: string): number {
  const program = `
    import { getHeapSpaceStatistics } from 'node:v8'
    import { setTimeout as sleep } from 'node:timers/promises'
    ${start}
    for (let list = 0; list < 5; list++) {
      const kept = []
      for (let at = 0; at < 60_000; at++) {
        kept.push(JSON.parse('{ "id": "p' + at + '", "links": [1, 2, { "to": "' + at + '" }] }'))
        if (at % 1000 === 0) await sleep(1)
      }
    }
    console.log(getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size / 2 ** 20)`
  return Number(execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' }))
}
