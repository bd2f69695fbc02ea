import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import type { AccessEvent } from '#platform/telemetry/access-event.ts'
import { openEdits } from '#publishing/git/edit/edits.ts'
import { openJournal } from '#publishing/git/edit/journal.ts'
import { editClone, editOf } from '#test/support/edit-clone.ts'
import { startGitServer } from '#test/support/git-server.ts'
import { temporaryFolder } from '#test/support/temporary.ts'

const server = await startGitServer()
const PATHS = ['pages/voice.md']

/** A process that saves, and is killed at the moment at which it would write the line of the pushed commit. */
const PROGRAM = (url: string, home: string, journal: string) => `
import { openEdits } from '#publishing/git/edit/edits.ts'
import { openJournal } from '#publishing/git/edit/journal.ts'
const host = { environment: { PATH: process.env.PATH }, kill: (id, name) => process.kill(id, name) }
const edits = openEdits({
  source: { url: ${JSON.stringify(url)}, publish: 'auto' }, home: ${JSON.stringify(home)}, host, pusher: host,
  followed: async () => undefined, committer: { name: 'housestyle', email: 'housestyle@acme.example' },
  merge: async () => undefined, maxGit: 1 << 30, signal: new AbortController().signal, now: () => new Date(),
  journal: openJournal(${JSON.stringify(journal)}),
})
const line = { event: 'edit_saved', subject: 'mia', paths: ${JSON.stringify(PATHS)} }
await edits.save({
  changes: [{ path: 'guide/pages/voice.md', before: Buffer.from('# Voice\\n'), after: Buffer.from('# Tone\\n') }],
  author: { name: 'Mia', email: 'mia@acme.example' }, subject: 'Voice', saveId: 'save-killed',
  settings: 'guide/project.yaml',
  audit: { line, record: () => process.kill(process.pid, 'SIGKILL') },
})
`

test('a commit whose process was killed between its push and its audit line gets the line at the next start', async () => {
  const repository = await server.make('brand')
  await repository.commit({ 'guide/pages/voice.md': '# Voice\n' })
  const folder = await temporaryFolder()
  const args = ['--input-type=module-typescript', '-e', PROGRAM(repository.url, await temporaryFolder(), folder)]
  const child = spawn(process.execPath, args, { stdio: 'inherit' })
  assert.deepEqual(await once(child, 'exit'), [null, 'SIGKILL'])
  const commit = await repository.git(['rev-parse', 'main'])
  assert.equal(await repository.git(['show', 'main:guide/pages/voice.md']), '# Tone')
  assert.deepEqual(await readdir(folder), ['save-killed.json'])
  // A line of a save that never arrived, and one that was cut off.
  await writeFile(join(folder, 'save-lost.json'), '{"event":"edit_saved"}')
  await writeFile(join(folder, 'save-cut.json'), '{"eve')
  const edits = openEdits(
    await editClone(repository.url, { merge: async () => undefined, journal: openJournal(folder) }),
  )
  const recorded: AccessEvent[] = []
  const record = (event: AccessEvent) => void recorded.push(event)
  assert.ok((await edits.recover(record)).ok)
  assert.deepEqual(recorded, [{ event: 'edit_saved', subject: 'mia', paths: PATHS, commit }])
  assert.deepEqual(await readdir(folder), [])
  const changes = [{ path: 'guide/pages/voice.md', before: 'any', after: Buffer.from('# Text\n') }] as const
  const audit = { line: { event: 'edit_saved' }, record } as const
  const saved = await edits.save(editOf({}, { changes, saveId: 'save-2', audit }))
  assert.ok(saved.ok && saved.value.outcome === 'saved')
  assert.deepEqual(recorded.at(-1), { event: 'edit_saved', commit: saved.value.commit })
  assert.deepEqual(await readdir(folder), [])
})
