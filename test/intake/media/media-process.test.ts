import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const SRC = fileURLToPath(new URL('../../../src/', import.meta.url))

test('the process ends if a parser cannot be loaded, instead of keeping its parent waiting', async t => {
  const child = fork(new URL('../../../src/intake/media/media-process.ts', import.meta.url), {
    execArgv: ['--permission', `--allow-fs-read=${SRC}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  t.after(() => child.kill('SIGKILL'))
  child.send({ kind: 'picture', contentType: 'image/png' })
  assert.deepEqual(await once(child, 'exit'), [1, null])
})
