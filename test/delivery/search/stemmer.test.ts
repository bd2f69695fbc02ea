import assert from 'node:assert/strict'
import test from 'node:test'
import { isPageId } from '#brand/ids.ts'
import { collectIndex } from '#delivery/search/index-builder.ts'
import { answerQuestion } from '#delivery/search/question.ts'
import { receiveIndex } from '#delivery/search/search-index.ts'
import { openStemmer } from '#delivery/search/stemmer.ts'
import { wordsOf } from '#delivery/search/words.ts'

const id = 'zz'

async function indexOf(lang: string, texts: readonly string[]) {
  assert.ok(isPageId(id))
  const receive = receiveIndex()
  const builder = collectIndex(block => receive(structuredClone(block)), 1 << 30, await openStemmer(lang))
  builder.add({ kind: 'pages', items: texts.map(text => ({ id, name: '', text })) })
  const index = Iterator.from(builder.finish()).map(receive).find(Boolean)
  assert.ok(index)
  return index
}

/** A language, and pairs of a word on a page and a word of a question. */
const FORMS: readonly [lang: string, ...pairs: string[]][] = [
  ['en', 'company companies', 'running runs', 'printed printer', 'geese goose!'],
  ['en-GB', 'colours colour', 'sizes size'],
  ['de', 'Häuser Haus', 'Haus Häuser', 'Farbe Farben', 'verwendet verwenden', 'Logo Farbe!'],
  ['fr', 'chevaux cheval', 'cheval chevaux', 'utilisation utiliser', 'couleur couleurs'],
  ['es', 'imágenes imagen', 'imagen imágenes', 'utilizar utilizando', 'color colores'],
  ['pt-BR', 'imagem imagens', 'cores cor'],
  ['it', 'colore colori', 'logo loghi'],
  ['nl', 'kleuren kleur'],
  ['sv', 'färgerna färg'],
  ['nb', 'fargene farge'],
  ['ru', 'логотипа логотипы'],
  ['ar', 'الألوان ألوان', 'ألوان الألوان', 'بالعربية العربية'],
  ['he', 'הלוגו לוגו', 'לוגו הלוגו'],
  ['fa', 'رنگها رنگ', 'رنگ رنگ‌های'],
  ['pl', 'czcionki czcionka', 'kolor kolory'],
  ['cs', 'barva barvy'],
  ['uk', 'логотипів логотип', 'поля полів', 'поля логотип!'],
  ['ko', '여백을 여백', '색상 색상은', '로고 여백!'],
  ['ja', 'logos logo', 'logo logos'],
]

for (const [lang, ...pairs] of FORMS)
  test(`in ${lang}, a word is found in its other forms, also one that the guide lacks`, async () => {
    for (const pair of pairs) {
      const [page = '', question = ''] = pair.replace('!', '').split(' ')
      const index = await indexOf(lang, [`${page} other`, 'nothing'])
      const wanted = pair.endsWith('!') ? [false, false] : [true, false]
      // Another word last, because the last one may also be the beginning of a word.
      const { scores, isWanted } = index.words.find(`${question} other`)
      const [agents] = answerQuestion([{ index, items: { colors: [], types: [] } }], question)
      const seen = [...(agents?.scores ?? [])].map(score => score > 0)
      assert.deepEqual(seen, wanted, `${pair} for agents`)
      assert.equal(wordsOf(page).some(isWanted) && scores[0] !== 0, wanted[0], pair)
    }
  })

test('a word itself counts more than its other forms', async () => {
  const index = await indexOf('de', ['Farben', 'Farbe'])
  const [other = 0, same = 0] = index.words.find('Farbe').scores
  assert.ok(same > other && other > 0)
})
