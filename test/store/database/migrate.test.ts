import assert from 'node:assert/strict'
import test from 'node:test'
import { pathToFileURL } from 'node:url'
import { migrationNames } from '#store/database/migrate.ts'
import { folderWith } from '../../support/temporary.ts'

async function namesIn(...names: string[]): Promise<string[]> {
  const folder = await folderWith(Object.fromEntries(names.map(name => [name, ''])))
  return migrationNames(pathToFileURL(`${folder}/`))
}

test('migrations are applied in the order of their numbers, and other files are ignored', async () => {
  assert.deepEqual(await namesIn('0002-b.sql', 'README.md', '0001-a.sql'), ['0001-a.sql', '0002-b.sql'])
})

for (const [names, misplaced, number] of [
  [['0001-a.sql', '0003-c.sql'], '0003-c.sql', 2],
  [['0001-a.sql', '0002-b.sql', '0002-c.sql'], '0002-c.sql', 3],
  [['0002-b.sql'], '0002-b.sql', 1],
  [['0001-a.sql', 'later.sql'], 'later.sql', 2],
] as const)
  test(`the migrations ${names.join(', ')} are refused, because numbers neither repeat nor have gaps`, async () => {
    await assert.rejects(namesIn(...names), {
      message: `the migration ${misplaced} has another number than its place, ${number}`,
    })
  })
