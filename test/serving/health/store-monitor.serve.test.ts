import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import test, { after } from 'node:test'
import { housestyle, MAIN } from '../../program/cli/housestyle.ts'
import { serve } from '../../support/command.ts'
import { temporaryFolder, writeFolder } from '../../support/temporary.ts'

async function publishedIn(data: string): Promise<void> {
  const brand = join(await temporaryFolder(), 'acme')
  const project = { 'guide/project.yaml': 'name: Guide\nvisibility: public\n' }
  await writeFolder(brand, { ...project, 'guide/pages/a.md': '# Page A\n' })
  for (const args of [
    ['import', brand],
    ['publish', 'acme/guide'],
  ])
    assert.equal((await housestyle([...args, '--data', data])).status, 0)
}

test('a missing object is logged once for many requests', async () => {
  const data = join(await temporaryFolder(), 'data')
  await publishedIn(data)
  const service = await serve(MAIN, '--data', data, '--log', 'error')
  after(service.stop)
  using database = new DatabaseSync(join(data, 'housestyle.db'))
  database.exec("DELETE FROM object WHERE CAST(bytes AS TEXT) LIKE '# Page A%'")
  for (let times = 0; times < 5; times++) assert.equal((await fetch(`${service.url}/acme/guide/a`)).status, 503)
  await service.stop()
  const lines = (await service.log).split('\n').filter(line => line.includes('has lost object'))
  assert.equal(lines.length, 1)
})
