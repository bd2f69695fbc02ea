import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { housestyle } from '../../program/cli/housestyle.ts'
import { killerByTime } from '../../support/killer.ts'
import { temporaryFolder, writeFolder } from '../../support/temporary.ts'
import { variantOf } from '../../support/variants.ts'

const ENDINGS: readonly (readonly [NodeJS.Signals, number])[] = [
  ['SIGKILL', 0.2],
  ['SIGTERM', 0.4],
  ['SIGKILL', 0.6],
  ['SIGINT', 0.8],
]

test('a backup or restore that is killed or interrupted at any moment has done everything or nothing, and a second try succeeds', async t => {
  const folder = await temporaryFolder()
  const data = ['--data', join(folder, 'data')]
  await writeFolder(join(folder, 'acme'), variantOf(1, { items: 40, bytes: 200_000 }))
  for (const args of [
    ['import', join(folder, 'acme')],
    ['publish', '--all'],
  ])
    assert.equal((await housestyle([...args, ...data])).status, 0)
  const known = (await housestyle(['status', '--json', ...data])).stdout
  const [backUp, restore] = [killerByTime(data), killerByTime([])]
  await backUp(['backup', join(folder, 'first.tar')], 0)
  const archive = join(folder, 'first.tar')
  await restore(['restore', archive, '--data', join(folder, 'first')], 0)
  const ended = { backup: 0, restore: 0 }
  for (const [at, [signal, part]] of ENDINGS.entries()) {
    const said = `${signal} at ${part}`
    const backups = join(folder, `backups${at}`)
    await mkdir(backups)
    const wasStopped = await backUp(['backup', join(backups, 'a.tar')], part, signal)
    if (wasStopped) ended.backup++
    // A signal after the last step still ends the process, but undoes nothing.
    if (signal !== 'SIGKILL') assert.ok(['', 'a.tar'].includes((await readdir(backups)).join()), said)
    if (!wasStopped) assert.deepEqual(await readdir(backups), ['a.tar'], said)
    assert.equal((await housestyle(['backup', join(backups, 'b.tar'), ...data])).status, 0, said)
    assert.deepEqual(await readdir(backups), existsSync(join(backups, 'a.tar')) ? ['a.tar', 'b.tar'] : ['b.tar'], said)

    const restored = ['--data', join(folder, `restored${at}`)]
    if (await restore(['restore', archive, ...restored], part, signal)) {
      ended.restore++
      const isThere = existsSync(join(restored[1] ?? '', 'housestyle.db'))
      if (signal !== 'SIGKILL') assert.equal(existsSync(restored[1] ?? ''), isThere, said)
      const again = await housestyle(['restore', archive, ...restored])
      assert.deepEqual([again.status, again.stdout.includes('complete already')], [0, isThere], said)
    }
    assert.equal((await housestyle(['status', '--json', ...restored])).stdout, known, said)
    assert.deepEqual((await housestyle(['doctor', ...restored])).stdout, 'no problems\n', said)
    assert.deepEqual((await readdir(restored[1] ?? '')).sort(), ['.gitignore', 'files', 'housestyle.db', 'locks'], said)
  }
  t.diagnostic(`of ${ENDINGS.length} each, ${ended.backup} backups and ${ended.restore} restores were stopped midway`)
  assert.ok(ended.backup > 0 && ended.restore > 0)
})
