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
