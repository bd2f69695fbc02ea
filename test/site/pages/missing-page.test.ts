import assert from 'node:assert/strict'
import test from 'node:test'
import { servedBrand } from '../../support/service.ts'

const { ask } = await servedBrand({
  'guide/pages/logo.md': '# Our mark\n',
  'guide/pages/voice/tone.md': '# Tone\n',
  'guide/pages/print.md': '# Print\n',
})
const BROWSER = { headers: { accept: 'text/html' } }

/** The pages that an unknown address offers, and whether as the closest ones. */
async function closestPages(path: string): Promise<string[]> {
  const { status, text } = await ask(`/acme/guide/${path}`, BROWSER)
  assert.equal(status, 404)
  const main = text.slice(text.indexOf('<main'))
  assert.match(main, /<form role="search" aria-label="Search again" action="\/acme\/guide\/-\/search">/)
  const [, asked = '', cards = ''] =
    /(Did you mean one of these pages\?)?<\/h2>\n<\/article>\n(.*)<\/ul>/s.exec(main) ?? []
  return asked === '' ? [] : Array.from(cards.matchAll(/<a href="\/acme\/guide\/([^"]+)"/g), ([, id = '']) => id)
}

test('an unknown address offers a search, and the pages whose id or title differs by one letter', async () => {
  assert.deepEqual(await closestPages('logp'), ['logo'])
  assert.deepEqual(await closestPages('logos'), ['logo'])
  assert.deepEqual(await closestPages('our-mrk'), ['logo'])
  assert.deepEqual(await closestPages('voice/tome'), ['voice/tone'])
  assert.deepEqual(await closestPages('Print'), ['print'])
  assert.deepEqual(await closestPages('lgop'), [])
  assert.deepEqual(await closestPages('logp'), ['logo'], 'other unknown addresses have their own page in the cache')
})
