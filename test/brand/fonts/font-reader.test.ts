import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { openFontReader } from '#brand/fonts/font-reader.ts'
import { hashOf } from '#brand/snapshot.ts'
import { openCaches } from '#platform/caches/caches.ts'
import { PATIENCE_MS } from '../../support/patience.ts'

const PLEX = readFileSync('node_modules/@ibm/plex-sans/fonts/complete/woff2/IBMPlexSans-Regular.woff2')

/** A reader of these bytes that counts how often it opens them. */
function readerOf(bytes: Uint8Array) {
  let opened = 0
  const buffer = new Uint8Array(1000)
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += buffer.length) {
      const piece = bytes.subarray(at, at + buffer.length)
      buffer.set(piece)
      yield buffer.subarray(0, piece.length)
    }
  }
  const open = async () => {
    opened++
    return chunks()
  }
  const reader = openFontReader(open, openCaches(), { timeoutMs: PATIENCE_MS })
  const file = { path: 'a.woff2', size: bytes.length, contentType: 'font/woff2', hash: hashOf(bytes) }
  return { reader, file, opened: () => opened }
}

test('a font is read only once for any number of requests', async t => {
  const { reader, file, opened } = readerOf(PLEX)
  t.after(() => reader.close())
  const [facts, again] = await Promise.all([reader.facts('acme', file), reader.facts('acme', file)])
  assert.equal(facts?.ascent, 1.025)
  assert.equal(again, facts)
  assert.equal(reader.facts('acme', file), facts)
  assert.equal(opened(), 1)
})

for (const [what, bytes] of [
  ['cut in half', PLEX.subarray(0, PLEX.length / 2)],
  ['nothing', new Uint8Array()],
  ['text', new TextEncoder().encode('no font at all, but some text')],
] as const)
  test(`a font that is ${what} has no facts, and is not retried`, async t => {
    const { reader, file, opened } = readerOf(bytes)
    t.after(() => reader.close())
    assert.equal(await reader.facts('acme', file), undefined)
    assert.equal(await reader.facts('acme', file), undefined)
    assert.equal(opened(), 1)
  })

test('a font with missing bytes is a fault, and is retried', async t => {
  const file = { path: 'a.woff2', size: 1, contentType: 'font/woff2', hash: hashOf(PLEX) }
  const open = () => Promise.reject(new Error('lost'))
  const reader = openFontReader(open, openCaches())
  t.after(() => reader.close())
  await assert.rejects(async () => reader.facts('acme', file), /lost/)
  await assert.rejects(async () => reader.facts('acme', file), /lost/)
})
