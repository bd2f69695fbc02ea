import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { watchFolder } from '#publishing/preview/watch.ts'
import { folderWith } from '../../support/temporary.ts'

const PAGE = 'guide/pages/index.md'

test('watchFolder discards a reading during which the folder changed, and reads again', async t => {
  let readings = 0
  const { told, until } = await watching(t, async path => {
    if (readings++ === 0) await writeFile(path, 'two')
  })
  await until('read two')
  assert.deepEqual([told, readings], [['read two'], 2])
})

test('watchFolder reads even a folder that changes constantly', async t => {
  const writing = new AbortController()
  const { folder, until } = await watching(t, async () => undefined)
  await until('read one')
  const writer = (async () => {
    for (let count = 0; !writing.signal.aborted; count++) {
      await writeFile(join(folder, PAGE), `${count}`)
      await sleep(5)
    }
  })()
  await until(/^read \d+$/)
  writing.abort()
  await writer
})

/** Watches a folder until the test ends. `told` collects the callbacks, and `reading` runs during each reading. */
async function watching(t: TestContext, reading: (path: string) => Promise<void>) {
  const folder = await folderWith({ [PAGE]: 'one' })
  const told: string[] = []
  const ending = new AbortController()
  let isReading = false
  const done = watchFolder(folder, {
    read: async () => {
      assert.ok(!isReading)
      isReading = true
      const text = await readFile(join(folder, PAGE), 'utf8')
      await reading(join(folder, PAGE)).finally(() => {
        isReading = false
      })
      return async () => {
        told.push(`read ${text}`)
      }
    },
    gone: () => told.push('gone'),
    failed: error => told.push(`failed ${error instanceof Error ? error.message : error}`),
    signal: ending.signal,
  })
  t.after(async () => {
    ending.abort()
    await done
  })
  const isTold = (what: string | RegExp) =>
    told.some(each => (typeof what === 'string' ? each === what : what.test(each)))
  const until = async (what: string | RegExp) => {
    while (!isTold(what)) await sleep(5)
  }
  return { folder, told, until }
}
