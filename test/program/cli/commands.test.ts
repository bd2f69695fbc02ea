import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SETTINGS, type Setting } from '#platform/settings/table.ts'
import { COMMANDS } from '#program/cli/commands.ts'
import { housestyle } from './housestyle.ts'

for (const { name, examples, options, settings } of COMMANDS) {
  test(`${name} --help shows its use and settings, and examples with only this command and its options`, async () => {
    const { status, stdout, stderr } = await housestyle([...name.split(' '), '--help'])
    assert.deepEqual([status, stderr], [0, ''])
    assert.match(stdout, new RegExp(`^Usage: housestyle ${name} `))
    assert.ok(!stdout.includes('(default: [])'), 'a list that was not given is no default')
    assert.equal(stdout.includes('--data'), settings.includes('data'))
    assert.ok(examples.length > 0)
    for (const example of examples) {
      assert.ok(example === name || example.startsWith(`${name} `), example)
      assert.ok(stdout.includes(`\n  housestyle ${example}\n`), example)
      for (const [flag] of example.matchAll(/--[\w-]+/g)) assert.match(stdout, new RegExp(`^ +${flag}\\b`, 'm'))
    }
    for (const { flags } of options) assert.ok(stdout.includes(flags), flags)
  })
}

test('every setting with a flag is in some command', () => {
  const rows: [string, Setting][] = Object.entries(SETTINGS)
  const used = new Set<string>(COMMANDS.flatMap(({ settings }) => settings))
  const names = rows.filter(([name, setting]) => !setting.isOnlyVariable && !used.has(name)).map(([name]) => name)
  assert.deepEqual(names, [])
})
