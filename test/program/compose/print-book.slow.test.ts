import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import test from 'node:test'
import { bookPrinter } from '#program/compose/print-book.ts'
import { type ServedSnapshot, servedSince } from '#store/catalogue/catalogue.ts'
import { serveIn } from '../../support/command.ts'
import { needs } from '../../support/programs.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { publishedStore } from '../../support/temporary-store.ts'
import { until } from '../../support/until.ts'
import { MAIN } from '../cli/housestyle.ts'

const temporary = await publishedStore('acme/guide', { 'guide/pages/index.md': '# Home\n' })
const print = bookPrinter({ ...process.env, HOUSESTYLE_DATA: temporary.data })
const PUBLIC_URL = 'https://brand.example.com'

async function served(): Promise<ServedSnapshot> {
  for await (const record of servedSince(temporary.store.database, 0)) return record
  throw new Error('nothing is published')
}

test('a book is the PDF of a published revision, printed in its own process', needs('chromium'), async () => {
  const bytes = await print(await served(), PUBLIC_URL, new AbortController().signal)
  assert.match(Buffer.from(bytes).toString('latin1'), /^%PDF-[\s\S]*%%EOF\s*$/)
})

test('a book that cannot be printed fails with the message of the export', async () => {
  const unknown = { ...(await served()), revision: 7 }
  await assert.rejects(print(unknown, PUBLIC_URL, new AbortController().signal), /revision 7/)
})

test('an abort ends the process', async () => {
  await assert.rejects(print(await served(), PUBLIC_URL, AbortSignal.abort()), Error)
})

test('the next start of a service removes the folder of a killed book', needs('chromium'), async t => {
  const folder = await temporaryFolder()
  const args = [MAIN, 'export', 'acme/guide', '--to', 'pdf', '--data', temporary.data]
  const child = spawn(process.execPath, args, { env: { ...process.env, TMPDIR: folder }, stdio: 'ignore' })
  const ended = once(child, 'exit')
  await until(async () => (await readdir(folder, { recursive: true })).some(path => path.endsWith('profile/Default')))
  child.kill('SIGKILL')
  await ended
  assert.notDeepEqual(await readdir(folder), [])
  const service = await serveIn({ TMPDIR: folder }, MAIN, '--data', temporary.data)
  t.after(service.stop)
  // The browser of the killed process writes its profile until it has ended.
  const left = async () => (await readdir(folder, { recursive: true })).filter(path => path.includes('catalogue'))
  assert.deepEqual(await left(), [])
})
