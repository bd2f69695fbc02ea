import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { testService } from '../../../support/service.ts'
import { temporaryStore } from '../../../support/temporary-store.ts'

const FONT = new URL(
  '../../../../examples/acme/guidelines/files/fonts/IBMPlexSans-Regular-Latin1.woff2',
  import.meta.url,
)
const styles = Array.from({ length: 510 }, (_, at) => `- { name: Style ${at}, family: IBM Plex Sans, size: 16 }\n`)
const fonts = Array.from({ length: 3 }, (_, at) => [`many/files/f${at}.woff2`, readFileSync(FONT)])
const temporary = await temporaryStore()
await temporary.importing('acme', {
  'many/project.yaml': 'visibility: public\n',
  'many/styles/types.yaml': styles.join(''),
  'many/files/bad.woff2': 'no font',
  ...Object.fromEntries(fonts),
})
await temporary.publish('acme/many')
const { ask } = await testService(temporary)

test('each page of many type styles and fonts has its part and a style sheet for it', async () => {
  const first = await ask('/acme/many/-/type')
  assert.equal(first.text.match(/<tbody id="type-/g)?.length, 500)
  assert.ok(first.text.includes('href="/acme/many/-/type.css"') && !first.text.includes('<h2 id="fonts">'))
  const second = await ask('/acme/many/-/type?page=2')
  assert.equal(second.text.match(/<tbody id="type-/g)?.length, 10)
  assert.ok(second.text.includes('href="/acme/many/-/type.css?page=2"') && second.text.includes('<h2 id="fonts">'))
  assert.match(second.text, /bad\.woff2<\/a> cannot be read as a font/)
  // The fonts of the styles and their fallbacks; the first page also has the font of the home page.
  for (const [sheet, rules, faces] of [
    ['/acme/many/-/type.css', 500, 3 + 1 + 1],
    ['/acme/many/-/type.css?page=2', 10, 3 + 1],
  ] as const) {
    const { status, text } = await ask(sheet)
    assert.deepEqual([status, text.match(/^\.type-/gm)?.length, text.match(/@font-face/g)?.length], [200, rules, faces])
  }
  for (const path of ['/acme/many/-/type?page=3', '/acme/many/-/type.css?page=3'])
    assert.equal((await ask(path)).status, 404)
})

test('a search result links to the page of the type style', async () => {
  const { text } = await ask('/acme/many/-/search?q=Style+505', { headers: { accept: 'application/json' } })
  const { results }: { results: { path: string }[] } = JSON.parse(text)
  assert.equal(results[0]?.path, '/acme/many/-/type?page=2#type-style-505')
})
