import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { parse } from 'yaml'
import { CHROMIUM, openPage } from '../support/browser.ts'
import { runningService } from '../support/service.ts'
import { temporaryStore } from '../support/temporary-store.ts'

const film = readFileSync(new URL('../fixtures/film.webm', import.meta.url))
const photo = readFileSync(new URL('../../examples/acme/guidelines/files/film/ident.jpg', import.meta.url))
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="160" height="90"><path d="M0 0h160v90H0z"/></svg>'
const sentences = 'A line of text that is long enough to fill more than a line of any column. '.repeat(8)
const COMMENTS = ['full', 'wide', 'split', 'columns: 2', 'columns: 3', 'columns: 4'].map(
  comment => `<!-- ${comment} -->`,
)
const MARKS = [
  ...COMMENTS,
  ...['full', 'wide'].flatMap(name => [2, 3].map(n => `<!-- ${name} -->\n<!-- columns: ${n} -->`)),
  '<!-- wide -->\n<!-- split -->',
  '<!-- full -->\n<!-- split -->',
]
const BLOCKS: Readonly<Record<string, string>> = parse(
  readFileSync(new URL('../fixtures/website/layout-blocks.yaml', import.meta.url), 'utf8').replaceAll(
    'SENTENCES',
    sentences,
  ),
)
const pageOf = (block: string) =>
  `---\nwide: true\n---\n# Title\n\nStart.\n\n---\n\n${['', ...MARKS].map(marks => `${marks}\n${block}\n\nText after it.\n\n---\n\n`).join('')}`
const nameOf = (block: string) => block.replaceAll(' ', '-').toLowerCase()
const store = await temporaryStore()
const { findings } = await store.importing('acme', {
  'm/project.yaml': 'visibility: public\ntheme: { layout: docs }\n',
  'm/files/a.webm': film,
  'm/files/b.webm': film,
  'm/files/p.jpg': photo,
  'm/files/s.svg': svg,
  'm/files/h.mp3': Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1'),
  'm/styles/colors.yaml': '- { name: Ink, hex: "000000" }\n- { name: Red, hex: "cc0000" }\n',
  'm/styles/types.yaml': '- { name: Head, size: 40 }\n- { name: Text, size: 16 }\n',
  'm/pages/index.md': '# Home\n',
  'm/pages/covered.md': '---\ncover: ../files/p.jpg\n---\n# Covered\n',
  ...Object.fromEntries(Object.entries(BLOCKS).map(([name, text]) => [`m/pages/${nameOf(name)}.md`, pageOf(text)])),
})
await store.publish('acme/m')
const { url } = await runningService(store)

/** The boxes of the content between rules, without invisible containers: kind, left edge, width and height. */
const MEASURE = `(() => {
  const pieces = [[]]
  const round = ({ x, width, height }) => [x, width, height].map(Math.round).join()
  const boxes = node => {
    if (node.nodeType === Node.TEXT_NODE) {
      const range = document.createRange()
      range.selectNodeContents(node)
      return node.data.trim() === '' ? [] : Array.from(range.getClientRects(), round)
    }
    if (node.nodeType !== Node.ELEMENT_NODE) return []
    const own = /^(?:img|video|audio|svg|li|td|th|pre|blockquote|details)$/i.test(node.tagName) ? [round(node.getBoundingClientRect())] : []
    return [...own, ...Array.from(node.childNodes).flatMap(boxes)]
  }
  for (const node of document.querySelector('article.prose').children)
    if (node.tagName === 'HR') pieces.push([])
    else pieces.at(-1).push(...boxes(node))
  return pieces.map(piece => piece.join(' '))
})()`

test('every layout comment changes the geometry or is a finding on its line', CHROMIUM, async () => {
  const { page } = await openPage()
  const useless: string[] = []
  for (const [name, block] of Object.entries(BLOCKS)) {
    await page.goto(`${url}/acme/m/${nameOf(name)}`)
    const measured: string[][] = []
    for (const width of [1440, 1920]) {
      await page.setViewportSize({ width, height: 900 })
      measured.push(await page.evaluate<string[]>(MEASURE))
    }
    const of = (marks: string) => measured.map(pieces => pieces[['', ...MARKS].indexOf(marks) + 1]).join()
    const reported = new Set(
      findings.filter(({ path }) => path === `m/pages/${nameOf(name)}.md`).map(({ line }) => line),
    )
    const lines = pageOf(block).split('\n')
    let line = 0
    for (const marks of MARKS) {
      line = lines.indexOf(marks.split('\n')[0] ?? '', line) + 1
      const [, inner = ''] = marks.split('\n')
      if (of(marks) === of(inner) && !reported.has(line)) useless.push(`${name}: ${marks}`)
    }
  }
  assert.deepEqual(useless, [])
})
