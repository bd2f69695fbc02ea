import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import test from 'node:test'
import { fileURLToPath } from 'node:url'

/** Makes a registry while all file descriptors are in use, and once more when they are free. */
const PROGRAM = `
  import { closeSync, openSync } from 'node:fs'
  const { registryOf } = await import('./src/telemetry/metrics-registry.ts')
  const { hasTooManyOpen } = await import('./src/store/store-error.ts')
  const files = []
  assert.throws(() => { for (;;) files.push(openSync('/dev/null')) })
  assert.throws(() => registryOf(new Map()), hasTooManyOpen)
  files.forEach(closeSync)
  assert.match(await registryOf(new Map()).metrics(), /process_open_fds/)
`

test('after a lack of file descriptors, the metrics library is loaded again', () => {
  const program = `import assert from 'node:assert/strict'\n${PROGRAM}`
  const cwd = fileURLToPath(new URL('../..', import.meta.url))
  const node = [process.execPath, '--input-type=module', '--eval', program]
  const { status, stderr } = spawnSync('prlimit', ['--nofile=64', ...node], { cwd, encoding: 'utf8' })
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' })
})
