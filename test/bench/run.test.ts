import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

const RUN = join(import.meta.dirname, '../../bench/run.ts')

for (const args of [['nonsense'], ['api', 'nonsense']])
  test(`npm run bench -- ${args.join(' ')} names the benchmarks that exist and measures nothing`, () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [RUN, ...args], {
      encoding: 'utf8',
      timeout: 300_000,
    })
    assert.match(
      stderr,
      /^no benchmark starts with "nonsense"; choose from agents\.bench\.ts, api\.bench\.ts, [^\n]+\n$/,
    )
    assert.equal(stdout, '')
    assert.equal(status, 1)
  })
