import assert from 'node:assert/strict'
import test from 'node:test'
import { testService } from '../../support/service.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const FOLDERS = 3
const IN_EACH = 400
const pages = Array.from({ length: FOLDERS * IN_EACH }, (_, at) => [
  `many/pages/f${at % FOLDERS}/p${at}.md`,
  `# Page ${at}\n`,
])
const temporary = await temporaryStore()
await temporary.importing('acme', { 'many/project.yaml': 'visibility: public\n', ...Object.fromEntries(pages) })
await temporary.importing('acme', {
  'flat/project.yaml': 'visibility: public\n',
  ...Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`flat/pages/p${at}.md`, `# Page ${at}\n`])),
})
for (const place of ['acme/many', 'acme/flat']) await temporary.publish(place)
const { ask } = await testService(temporary)

/** The pages in the content of a page of the list, and their folders. */
async function readList(path: string): Promise<{ pages: string[]; folders: string[] }> {
  const { status, text } = await ask(path)
  assert.equal(status, 200)
  const article = text.slice(text.indexOf('<article'), text.indexOf('</article>'))
  return {
    pages: Array.from(article.matchAll(/href="\/acme\/many\/(f\d\/p\d+)"/g), ([, id = '']) => id),
    folders: Array.from(article.matchAll(/<li>(F\d)/g), ([, name = '']) => name),
  }
}

test('the list of all pages has each page once, with its folders, in the order of the navigation', async () => {
  const parts = [await readList('/acme/many/-/pages')]
  for (const page of [2, 3]) parts.push(await readList(`/acme/many/-/pages?page=${page}`))
  const found = parts.flatMap(part => part.pages)
  assert.deepEqual(new Set(found).size, FOLDERS * IN_EACH)
  assert.equal(found.length, FOLDERS * IN_EACH)
  // 500 entries on each, three of them folders.
  assert.deepEqual(
    parts.map(part => [part.pages.length, part.folders]),
    [
      [498, ['F0', 'F1']],
      [499, ['F1', 'F2']],
      [203, ['F2']],
    ],
  )
  assert.equal((await ask('/acme/many/-/pages?page=4')).status, 404)
})

test('an overview of many pages has cards for the first ones, and links to the list of all', async () => {
  const { text } = await ask('/acme/flat')
  const main = text.slice(text.indexOf('<main'))
  assert.equal(main.match(/<li><a href="\/acme\/flat\/p\d+">/g)?.length, 100)
  assert.match(main, /These are the first 100 of <a href="\/acme\/flat\/-\/pages">all pages<\/a>/)
})
