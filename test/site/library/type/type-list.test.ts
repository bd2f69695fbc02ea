import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { servedBrand } from '#test/support/service.ts'

const FONT = new URL(
  '../../../../examples/acme/guidelines/files/fonts/IBMPlexSans-Regular-Latin1.woff2',
  import.meta.url,
)
const styles = Array.from({ length: 998 }, (_, at) => `- { name: Style ${at}, family: IBM Plex Sans, size: 16 }\n`)
const fonts = Array.from({ length: 3 }, (_, at) => [`many/files/f${at}.woff2`, readFileSync(FONT)])
const { ask } = await servedBrand({
  'many/styles/types.yaml': styles.join(''),
  'many/files/bad.woff2': 'no font',
  ...Object.fromEntries(fonts),
})

test('the page of many type styles and fonts ends after 1,000, with a link to all, and its style sheet has them', async () => {
  const { text } = await ask('/acme/many/-/type')
  assert.equal(text.match(/<li class="specimen" id="type-/g)?.length, 998)
  assert.equal(text.match(/<section class="specimen/g)?.length, 1)
  assert.doesNotMatch(text, /bad\.woff2/)
  const archive = '<a href="/acme/many/-/files.zip">One file</a>'
  assert.ok(text.includes(`<p class="quiet">These are the first 1,000 of 1,002. ${archive} has all of them.</p>`))
  assert.equal((await ask('/acme/many/-/type?page=2')).text, text)
  const sheet = await ask('/acme/many/-/type.css?page=2')
  // The fonts of the styles, their fallbacks on three systems, and the fonts of the home page with a part of each.
  const seen = [sheet.status, sheet.text.match(/^\.type-/gm)?.length, sheet.text.match(/@font-face/g)?.length]
  assert.deepEqual(seen, [200, 998, 3 + 3 + 6])
})

test('a search result links to the type style in the list', async () => {
  const { text } = await ask('/acme/many/-/search?q=Style+505', { headers: { accept: 'application/json' } })
  const { results }: { results: { path: string }[] } = JSON.parse(text)
  assert.equal(results[0]?.path, '/acme/many/-/type#type-style-505')
})
