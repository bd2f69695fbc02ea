import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { writeWhole } from '#adopt/write.ts'
import { temporaryFolder } from '#test/support/temporary.ts'

const { signal } = new AbortController()
const inspect = async () => undefined

for (const to of ['../a.md', 'a/../../b.md', '/a.md', 'a//b.md', 'a\\b.md', 'a\0.md'])
  test(`a file is never written outside of the new folder: ${JSON.stringify(to)}`, async () => {
    const folder = await temporaryFolder()
    const files = [
      { to: 'first.md', content: 'a' },
      { to, content: 'b' },
    ]
    await assert.rejects(
      writeWhole(join(folder, 'x/y/brand'), files, { signal, inspect }),
      /is no path in the new folder/,
    )
    assert.deepEqual(readdirSync(folder), [])
  })

test('a folder that another program fills in the meantime keeps its files, and gets none', async () => {
  const folder = await temporaryFolder()
  const race = async () => writeFileSync(join(folder, 'b.md'), 'theirs')
  const files = [
    { to: 'a.md', content: 'a' },
    { to: 'b.md', content: 'b' },
  ]
  await assert.rejects(writeWhole(folder, files, { signal, inspect: race }), { code: 'folder_changed' })
  assert.deepEqual(readdirSync(folder), ['b.md'])
})

test('a run that is interrupted at its end leaves nothing, not even the folders above', async () => {
  const folder = await temporaryFolder()
  const interruption = new AbortController()
  const options = { signal: interruption.signal, inspect: async () => interruption.abort() }
  const files = [{ to: 'a/b.md', content: 'a' }]
  await assert.rejects(writeWhole(join(folder, 'x/y/brand'), files, options), { name: 'AbortError' })
  assert.deepEqual(readdirSync(folder), [])
})
