import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { openLocks } from '../../../src/store/database/locks.ts'
import { temporaryFolder } from '../../temporary.ts'

const MODULE = new URL('../../../src/store/database/locks.ts', import.meta.url).href

describe('a lock', () => {
  const CASES = [
    ['exclusive', 'exclusive', false],
    ['exclusive', 'shared', false],
    ['shared', 'exclusive', false],
    ['shared', 'shared', true],
  ] as const
  for (const [held, wanted, isGiven] of CASES)
    it(`that is held ${held} ${isGiven ? 'can' : 'cannot'} be taken ${wanted}, and can once it is let go`, async () => {
      const folder = join(await temporaryFolder(), 'locks')
      const [one, other] = [openLocks(folder), openLocks(folder)]
      const release = one.take('a', held)
      assert.ok(release)
      const second = other.take('a', wanted)
      assert.equal(second !== undefined, isGiven)
      second?.()
      assert.ok(other.take('b', 'exclusive'))
      release()
      const third = other.take('a', wanted)
      assert.ok(third)
      third()
    })

  for (const signal of ['SIGKILL', 'SIGTERM'] as const)
    it(`is gone with its process, ended by ${signal}`, async () => {
      const folder = join(await temporaryFolder(), 'locks')
      const locks = openLocks(folder)
      const script = `import { openLocks } from '${MODULE}'
        console.log(openLocks(process.argv[1]).take('a', 'exclusive') !== undefined)
        setInterval(() => undefined, 1000)`
      const child = spawn(process.execPath, ['--input-type=module', '-e', script, folder], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const [said] = await once(child.stdout, 'data')
      assert.equal(String(said), 'true\n')
      assert.equal(locks.take('a', 'exclusive'), undefined)
      child.kill(signal)
      await once(child, 'exit')
      const release = locks.take('a', 'exclusive')
      assert.ok(release)
      release()
    })

  it('that is removed leaves nothing behind', async () => {
    const folder = join(await temporaryFolder(), 'locks')
    const locks = openLocks(folder)
    const release = locks.take('a', 'exclusive')
    assert.ok(release)
    assert.equal((await readdir(folder)).length, 1)
    locks.remove('a')
    release()
    assert.deepEqual(await readdir(folder), [])
  })
})
