import assert from 'node:assert/strict'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openFileMemory } from '../../src/intake/file-memory.ts'
import { folderWith } from '../temporary.ts'

test('a file is read again only once it has changed, or where it was written a moment before it was read', async () => {
  const path = join(await folderWith({ 'a.svg': 'one' }), 'a.svg')
  const remember = openFileMemory()
  let readings = 0
  const read = async () => String(++readings)
  assert.deepEqual([await remember(path, read), await remember(path, read)], ['1', '2'])
  await sleep(3100)
  assert.deepEqual([await remember(path, read), await remember(path, read)], ['3', '3'])
  await writeFile(path, 'two')
  assert.equal(await remember(path, read), '4')
  await rename(path, `${path}~`)
  assert.deepEqual([await remember(path, read), await remember(path, read)], ['5', '6'])
})
