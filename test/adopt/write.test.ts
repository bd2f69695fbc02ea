import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
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

test('what a killed run has left is removed by the next one, also in a folder that exists', async () => {
  const folder = await temporaryFolder()
  mkdirSync(join(folder, '.housestyle-brand/pages'), { recursive: true })
  await writeWhole(join(folder, 'brand'), [{ to: 'a.md', content: 'a' }], { signal })
  assert.deepEqual([readdirSync(folder), readdirSync(join(folder, 'brand'))], [['brand'], ['a.md']])
  mkdirSync(join(folder, 'empty/.housestyle-empty'), { recursive: true })
  await writeWhole(join(folder, 'empty'), [{ to: 'a.md', content: 'a' }], { signal })
  assert.deepEqual(readdirSync(join(folder, 'empty')), ['a.md'])
})

test('a run that is interrupted at its end leaves nothing, not even the folders above', async () => {
  const folder = await temporaryFolder()
  const interruption = new AbortController()
  const options = { signal: interruption.signal, inspect: async () => interruption.abort() }
  const files = [{ to: 'a/b.md', content: 'a' }]
  await assert.rejects(writeWhole(join(folder, 'x/y/brand'), files, options), { name: 'AbortError' })
  assert.deepEqual(readdirSync(folder), [])
})
