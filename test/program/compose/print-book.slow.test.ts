import assert from 'node:assert/strict'
import test from 'node:test'
import { bookPrinter } from '#program/compose/print-book.ts'
import { type ServedSnapshot, servedSince } from '#store/catalogue/catalogue.ts'
import { needs } from '../../support/programs.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const temporary = await temporaryStore()
await temporary.publishing('acme/guide', { 'guide/pages/index.md': '# Home\n' })
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
