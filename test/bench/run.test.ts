import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

const RUN = join(import.meta.dirname, '../../bench/run.ts')

for (const [args, told] of [
  [['nonsense'], /no benchmark begins with nonsense: there are api\.bench\.ts, /],
  [['api', 'nonsense'], /no benchmark begins with nonsense/],
  [['api', '--rounds', 'abc'], /--rounds: "abc" is not a whole number of at least 2\n$/],
  [['api', '--rounds', '1'], /--rounds: "1" is not/],
  [['api', '--round', '3'], /^Unknown option '--round'/],
  [['memory', '--requests', '1.5'], /--requests: "1\.5" is not/],
] as const)
  test(`npm run bench -- ${args.join(' ')} is refused in words, and measures nothing`, () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [RUN, ...args], {
      encoding: 'utf8',
      timeout: 30_000,
    })
    assert.match(stderr, told)
    assert.equal(stdout, '')
    assert.equal(status, 1)
  })
