import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { COMMANDS } from '../../src/cli/commands.ts'
import { runCommand } from '../support/run-command.ts'

for (const { name, examples, options } of COMMANDS) {
  test(`${name} --help has examples, which use only this command and its options`, async () => {
    const { exitCode, out } = await runCommand(tmpdir(), [...name.split(' '), '--help'])
    assert.equal(exitCode, 0)
    assert.ok(examples.length > 0)
    for (const example of examples) {
      assert.ok(example === name || example.startsWith(`${name} `), example)
      assert.ok(out.includes(`\n  housestyle ${example}\n`), example)
      for (const [flag] of example.matchAll(/--[\w-]+/g)) assert.match(out, new RegExp(`^ +${flag}\\b`, 'm'))
    }
    for (const { flags } of options) assert.ok(out.includes(flags), flags)
  })
}
