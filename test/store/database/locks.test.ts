import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { promisify } from 'node:util'
import { openLocks } from '#store/database/locks.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const MODULE = new URL('../../../src/store/database/locks.ts', import.meta.url).href

const CASES = [
  ['exclusive', 'exclusive', false],
  ['exclusive', 'shared', false],
  ['shared', 'exclusive', false],
  ['shared', 'shared', true],
] as const
for (const [held, wanted, isGiven] of CASES)
  test(`a lock with a ${held} holder ${isGiven ? 'can' : 'cannot'} be acquired as ${wanted}, and can after its release`, async () => {
    const folder = join(await temporaryFolder(), 'locks')
    const [one, other] = [openLocks(folder), openLocks(folder)]
    const lock = one.tryAcquire('a', held)
    assert.ok(lock)
    const second = other.tryAcquire('a', wanted)
    assert.equal(second !== undefined, isGiven)
    second?.release()
    assert.ok(other.tryAcquire('b', 'exclusive'))
    lock.release()
    const third = other.tryAcquire('a', wanted)
    assert.ok(third)
    third.release()
  })

for (const signal of ['SIGKILL', 'SIGTERM'] as const)
  test(`a lock is released when its process is ended by ${signal}`, async t => {
    const folder = join(await temporaryFolder(), 'locks')
    const locks = openLocks(folder)
    const script = `import { openLocks } from '${MODULE}'
        globalThis.release = openLocks(process.argv[1]).tryAcquire('a', 'exclusive')
        console.log(release !== undefined)
        setInterval(() => undefined, 1000)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    t.after(() => child.kill('SIGKILL'))
    const [said] = await once(child.stdout, 'data')
    assert.equal(String(said), 'true\n')
    assert.equal(locks.tryAcquire('a', 'exclusive'), undefined)
    child.kill(signal)
    await once(child, 'exit')
    const lock = locks.tryAcquire('a', 'exclusive')
    assert.ok(lock)
    lock.release()
  })

test('a lock is held until it is released, even if nothing refers to its release function', async () => {
  const folder = join(await temporaryFolder(), 'locks')
  const script = `import { openLocks } from '${MODULE}'
      const [one, other] = [openLocks(process.argv[1]), openLocks(process.argv[1])]
      console.log(one.tryAcquire('a', 'exclusive') !== undefined)
      for (let turn = 0; turn < 10; turn++) {
        gc()
        await new Promise(resolve => setImmediate(resolve))
      }
      console.log(other.tryAcquire('a', 'exclusive') !== undefined, one.tryAcquire('b', 'exclusive') !== undefined)`
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--expose-gc',
    '--input-type=module',
    '--eval',
    script,
    folder,
  ])
  assert.equal(stdout, 'true\nfalse true\n')
})

test('removing a lock leaves no file', async () => {
  const folder = join(await temporaryFolder(), 'locks')
  const locks = openLocks(folder)
  const lock = locks.tryAcquire('a', 'exclusive')
  assert.ok(lock)
  assert.equal((await readdir(folder)).length, 1)
  locks.remove('a')
  lock.release()
  assert.deepEqual(await readdir(folder), [])
})
