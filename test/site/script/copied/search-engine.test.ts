import assert from 'node:assert/strict'
import test from 'node:test'
import { runInNewContext } from 'node:vm'
import { isPageId } from '#brand/ids.ts'
import { collectIndex } from '#delivery/search/index-builder.ts'
import { highlight, snippet } from '#delivery/search/marked-text.ts'
import { receiveIndex } from '#delivery/search/search-index.ts'
import { openStemmer } from '#delivery/search/stemmer.ts'
import type { WordMatches } from '#delivery/search/word-index.ts'
import { openAssets } from '#site/assets.ts'
import { searchEngine } from '#site/script/copied/search-engine.ts'

const TEXTS = [
  'Café society',
  'رنگ\u200cهای الهُوِيَّة',
  'Printed companies',
  'The logo on a quiet ground, never on a photograph. '.repeat(9),
  'Logotype',
  'Ink',
]

test('the search script of a copied guide finds and marks the same words as the service’s search', async () => {
  const id = 'zz'
  assert.ok(isPageId(id))
  const receive = receiveIndex()
  const builder = collectIndex(receive, 1 << 30, await openStemmer('en'))
  builder.add({ kind: 'pages', items: TEXTS.map(text => ({ id, name: '', text })) })
  const index = Iterator.from(builder.finish()).map(receive).find(Boolean)
  assert.ok(index)
  const engine = runInNewContext(`${searchEngine()}; searchEngine`, {})
  for (const query of ['cafe', 'logo', 'photogarph', 'رنگ های', 'الهوية', 'print company x', 'logotype', 'nothing']) {
    const ours = await index.words.find(query)
    const theirs: WordMatches = await engine.wordIndex(index.entries, index.terms).find(query)
    assert.deepEqual([...theirs.scores], [...ours.scores], query)
    for (const [at, text] of TEXTS.entries()) {
      assert.deepEqual([...engine.highlight(text, theirs.isWanted)], highlight(text, ours.isWanted), `${query}: ${at}`)
      assert.deepEqual([...engine.snippet(text, theirs.isWanted)], snippet(text, ours.isWanted), `${query}: ${at}`)
    }
  }
})

test('a copied guide has the search script, and a served one does not', () => {
  const copied = openAssets('', 'copied')
  const script = new TextDecoder().decode(copied.find(copied.path('copied.js'))?.bytes)
  assert.match(script, /^const searchEngine = /)
  assert.match(script, /globalThis\.searchCopy = /)
  assert.equal(openAssets('').path('copied.js'), '')
})
