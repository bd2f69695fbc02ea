import assert from 'node:assert/strict'
import test from 'node:test'
import type { Color } from '#brand/color.ts'
import type { BrandFile } from '#brand/file.ts'
import { isHash, isPageId, isStyleId } from '#brand/ids.ts'
import { bestHits } from '#delivery/search/best-entries.ts'
import { collectIndex } from '#delivery/search/index-builder.ts'
import { answerQuestion, questionWords } from '#delivery/search/question.ts'
import { receiveIndex } from '#delivery/search/search-index.ts'

type Sections = Readonly<Record<string, string>>
type Content = { colors?: readonly Color[]; files?: readonly BrandFile[]; pages?: Sections }

function guideOf({ colors = [], files = [], pages = {} }: Content) {
  const receive = receiveIndex()
  const builder = collectIndex(block => receive(structuredClone(block)), 1 << 30)
  builder.add({ kind: 'colors', items: colors })
  builder.add({ kind: 'files', items: files })
  builder.add({ kind: 'pages', items: Object.entries(pages).map(([name, text]) => ({ id: pageId(name), name, text })) })
  const index = Iterator.from(builder.finish())
    .map(answer => receive(structuredClone(answer)))
    .find(Boolean)
  assert.ok(index)
  const names = [...colors.map(({ name }) => name), ...files.map(({ path }) => path)]
  const nameOf = (entry: number) => {
    const target = entry < names.length ? undefined : index.targetOf(entry, { colors, types: [], files, pages: PAGES })
    return target?.kind === 'page' ? target.heading : (names[entry] ?? '')
  }
  return { index, items: { colors, types: [] }, nameOf }
}

function pageId(name: string) {
  const id = name.toLowerCase()
  assert.ok(isPageId(id))
  return id
}

const [content, id] = ['0'.repeat(64), 'page']
assert.ok(isHash(content) && isPageId(id))
const PAGES = Array(3).fill({ id, name: 'Page', content, links: [] })

function color(name: string, values: Partial<Color> = {}): Color {
  const id = name.toLowerCase().replaceAll(' ', '-')
  assert.ok(isStyleId(id))
  return { id, name, rgb: '0,0,0', hex: '#000000', ...values }
}

function file(path: string, notes: Partial<BrandFile>): BrandFile {
  assert.ok(isHash(content))
  return { path, size: 1, contentType: 'image/svg+xml', hash: content, ...notes }
}

/** The best answer to a question: the name of a colour or file, or the heading of a section. */
async function answer(content: Content, question: string): Promise<string | undefined> {
  const guide = guideOf(content)
  const [answers] = answerQuestion([guide], question)
  assert.ok(answers)
  const [hit] = bestHits(guide.index, answers, 1).best
  return hit && guide.nameOf(hit.entry)
}

test('the words of a question are those that are not common, at most eight', () => {
  assert.deepEqual(questionWords('Which logo may I use on a dark background?'), ['logo', 'dark', 'background'])
  assert.deepEqual(questionWords('What is it?'), ['what', 'is', 'it'])
  assert.equal(questionWords('ab ac ad ae af ag ah ai aj ak').length, 8)
  assert.deepEqual(questionWords(''), [])
})

test('a section with many words of a question comes before one with a single word in its heading', async () => {
  const pages = { Logo: '# Logo\n\n## Screen\n\nNothing.\n\n## Smallest size\n\n72 px on a screen, 18 mm in print.' }
  assert.equal(await answer({ pages }, 'What is the smallest logo on screen?'), 'Smallest size')
})

test('a question finds other forms of its words, synonyms, beginnings and typos', async () => {
  const pages = { Rules: '# Rules\n\n## One\n\nMinimum width\n\n## Two\n\ncropped\n\n## Three\n\nsharpening' }
  assert.equal(await answer({ pages }, 'the smallest of all'), 'One')
  assert.equal(await answer({ pages }, 'May I crop it?'), 'Two')
  assert.equal(await answer({ pages }, 'sharpe'), 'Three')
  assert.equal(await answer({ pages }, 'sharpeninng'), 'Three')
  assert.equal(await answer({ pages }, 'xylophone'), undefined)
})

test('a file or colour whose whole name is the question comes before pages that repeat the word', async () => {
  const pages = { 'React-sea': `# React components\n\n## React and sea\n\n${'react sea '.repeat(10)}` }
  const content = { colors: [color('Sea')], files: [file('files/react.svg', {})], pages }
  assert.equal(await answer(content, 'react'), 'files/react.svg')
  assert.equal(await answer(content, 'Sea'), 'Sea')
  assert.equal(await answer({ pages: { Rules: '# Rules\n\n## One\n\nرنگ‌های الهُوِيَّة' } }, 'الهوية رنگهای'), 'One')
})

test('a question about values prefers the colour that it names', async () => {
  const colors = [color('Ink', { pms: '5395 C' }), color('Chalk Blue'), color('Paper')]
  const pages = { Print: '# Print\n\n## Pantone on paper\n\nOn uncoated paper, use the Pantone reference for paper.' }
  assert.equal(await answer({ colors, pages }, 'Pantone for ink on uncoated paper'), 'Ink')
  assert.equal(await answer({ colors, pages }, 'hex of chalk blue'), 'Chalk Blue')
})

test('a colour is found by its references in other ink systems', async () => {
  const colors = [color('Red', { inks: { HKS: '13 K', TOYO: '0123' } }), color('Red light', { hex: '#ff8888' })]
  for (const question of ['HKS of red', 'hks 13k', 'toyo 0123', '13 K'])
    assert.equal(await answer({ colors }, question), 'Red', question)
})

test('a file is found by the lightness of its background, its uses and its rights', async () => {
  const colors = [color('Night'), color('Snow', { hex: '#ffffff' })]
  const [night, snow] = colors.map(each => each.id)
  assert.ok(night && snow)
  const files = [
    file('files/a.svg', { ground: snow, medium: ['print'] }),
    file('files/b.svg', { ground: night, medium: ['screen'], licence: 'For the press' }),
  ]
  assert.equal(await answer({ colors, files }, 'Which file for a dark background?'), 'files/b.svg')
  assert.equal(await answer({ colors, files }, 'file for print'), 'files/a.svg')
  assert.equal(await answer({ colors, files }, 'file for the press'), 'files/b.svg')
})

test('the caption of a picture is found in its section', async () => {
  const pages = {
    Misuse: `# Misuse\n\n## Six mistakes\n\n![The logo in blue](a.svg "Don't: recolour it")\n\n## More\n\nLogo`,
  }
  assert.equal(await answer({ pages }, 'May I recolour the logo?'), 'Six mistakes')
})

test('scores of several guides are comparable: a word that one guide lacks is not rare in the other', async () => {
  const common = guideOf({ pages: { A: '# A\n\n## Logo size\n\nlogo size' } })
  const other = guideOf({ pages: { A: '# A\n\n## Logo\n\nlogo', B: 'b', C: 'c' } })
  const [here, there] = answerQuestion([common, other], 'logo size')
  assert.ok(here && there)
  assert.ok(Math.max(...here.scores) > Math.max(...there.scores))
})

test('any question can be asked, and a guide may be empty', async () => {
  for (const question of ['', '__proto__', '\0', '\ud800', '(a+)+$', '!!!', '品牌颜色', 'x'.repeat(1000)])
    assert.equal(await answer({ pages: { Zz: 'constructor' } }, question), undefined)
  assert.equal(await answer({}, 'logo'), undefined)
  assert.deepEqual(answerQuestion([], 'logo'), [])
})
