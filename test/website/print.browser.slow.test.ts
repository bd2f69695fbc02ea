import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { CHROMIUM, openPage } from '../support/browser.ts'
import { needs } from '../support/programs.ts'
import { runningService, searchable } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { publishedBrand } from '../support/temporary-store.ts'

const COLORS = '- {name: Ink, hex: "101418"}\n- {name: Mud, hex: "#767676"}\n- {name: Paper, hex: faf7f2}\n'
const PAGE = readFileSync(new URL('../fixtures/website/print.md', import.meta.url), 'utf8')
const project = (id: string, theme: string) => ({
  [`${id}/project.yaml`]: `name: Guide\nvisibility: public\n${theme}`,
  [`${id}/pages/index.md`]: PAGE,
  [`${id}/styles/colors.yaml`]: COLORS,
})
const LINES = 'Words that fill more than a line of a printed page, so that each part has several. '.repeat(5)
/** Parts of pages, by kind: each begins and ends with a word of its own. */
const PARTS: Readonly<Record<string, (first: string, last: string) => string>> = {
  callout: (first, last) => `> [!NOTE]\n> ${first} ${LINES}\n>\n> ${LINES} ${last}\n`,
  quote: (first, last) => `> ${first} ${LINES}\n>\n> ${LINES} ${last}\n`,
  row: (first, last) =>
    `| A | B |\n|---|---|\n| ${first} ${LINES} ${LINES} | 1<br>2<br>3<br>4<br>5<br>6<br>7<br>${last} |\n`,
  column: (first, last) =>
    `<!-- columns: 2 -->\n\n### ${first}\n\n${LINES} ${last}\n\n### Other\n\nText.\n\n<!-- /columns -->\n`,
  code: (first, last) => `\`\`\`\n${first}\n1\n2\n3\n4\n5\n6\n${last}\n\`\`\`\n`,
  card: (first, last) => `[${first}](https://a.example "${LINES}${last}")\n`,
  verdicts: (first, last) => `| Do | Don't |\n|---|---|\n| ${first} ${LINES} ${LINES} | ${LINES} ${last} |\n`,
  swatches: (first, last) =>
    `- [${first}](../styles/colors.yaml#ink "One")\n- [Paper](../styles/colors.yaml#paper "${LINES} ${last}")\n`,
  details: (first, last) => `<details open><summary>${first}</summary>\n\n${LINES}${LINES} ${last}\n\n</details>\n`,
}
const parts = Object.entries(PARTS).map(([kind, part]) => {
  const all = Array.from({ length: 16 }, (_, at) => `${part(`First${at}x`, `Last${at}x`)}\nBetween.\n`)
  return [`both/pages/${kind}.md`, `# ${kind}\n\n${all.join('\n')}`] as const
})
const { url } = await runningService(
  await publishedBrand({
    'workspace.yaml': 'id: acme\n',
    ...project('dark', 'theme: { ground: ink, text: paper, accent: paper }\n'),
    ...project('middle', 'theme: { ground: mud, text: paper }\n'),
    ...project('both', 'theme: { ground: paper, text: ink }\n'),
    ...Object.fromEntries(parts),
    'both/pages/sound.md': '# Sound\n\n[The chime](../files/chime.mp3)\n',
    'both/files/chime.mp3': readFileSync('examples/acme/guidelines/files/sound/acme-sound.mp3'),
    'both/files/sans.woff2': readFileSync('examples/acme/guidelines/files/fonts/IBMPlexSans-Regular-Latin1.woff2'),
    ...project('plain', ''),
  }),
)

/** The words whose contrast to white is below 4, unless their background is always printed, such as on tiles. */
const PALE = `Array.from(document.querySelectorAll('body :not(.tiles, .tiles *)')).flatMap(element => {
  const words = Array.from(element.childNodes, node => node.nodeType === 3 ? node.data : '').join('').trim()
  if (words === '' || !element.checkVisibility()) return []
  for (let each = element; each; each = each.parentElement) {
    const { backgroundColor, printColorAdjust } = getComputedStyle(each)
    if (printColorAdjust === 'exact' && backgroundColor !== 'rgba(0, 0, 0, 0)') return []
  }
  const pixel = new OffscreenCanvas(1, 1).getContext('2d')
  pixel.fillStyle = getComputedStyle(element).color
  pixel.fillRect(0, 0, 1, 1)
  const [r, g, b] = Array.from(pixel.getImageData(0, 0, 1, 1).data, value => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 1.05 / (0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05) < 4 ? [words] : []
})`

test('words are legible on white paper without backgrounds, also of a dark theme', CHROMIUM, async () => {
  for (const scheme of ['light', 'dark'] as const) {
    const { page } = await openPage({ colorScheme: scheme })
    for (const id of ['dark', 'middle', 'both', 'plain'])
      for (const path of ['', '/-/colors']) {
        await page.goto(`${url}/acme/${id}${path}`)
        await page.emulateMedia({ media: 'print' })
        await page.evaluate(`document.documentElement.dataset.theme = '${scheme}'`)
        assert.deepEqual(await page.evaluate(PALE), [], `${id}${path} ${scheme}`)
      }
  }
})

test('a printed cover keeps its ground, the colour of its letters and its padding', CHROMIUM, async () => {
  const { page } = await openPage({ viewport: { width: 720, height: 1000 } })
  await page.emulateMedia({ media: 'print' })
  for (const id of ['dark', 'both']) {
    await page.goto(`${url}/acme/${id}`)
    const cover = await page.evaluate(`(() => {
      const [cover, title] = ['.cover', '.cover h1'].map(each => document.querySelector(each))
      const [box, words] = [cover, title].map(each => each.getBoundingClientRect())
      const { backgroundColor, printColorAdjust } = getComputedStyle(cover)
      const isPadded = words.top - box.top >= 20 && words.left - box.left >= 20
      return { backgroundColor, printColorAdjust, color: getComputedStyle(title).color, isPadded }
    })()`)
    assert.deepEqual(cover, {
      backgroundColor: 'rgb(16, 20, 24)',
      printColorAdjust: 'exact',
      color: 'rgb(250, 247, 242)',
      isPadded: true,
    })
  }
})

test('words of a printed contrast table are level, and at least 6 pt large', CHROMIUM, async () => {
  const { page } = await openPage({ viewport: { width: 660, height: 1000 } })
  await page.emulateMedia({ media: 'print' })
  await page.goto(`${url}/acme/both/-/colors`)
  const styles = await page.evaluate(`Array.from(document.querySelectorAll('.contrast :is(th, td, span)'), each => {
    const { fontSize, writingMode } = getComputedStyle(each)
    return [parseFloat(fontSize) >= 8, writingMode].join(' ')
  }).filter((each, at, all) => all.indexOf(each) === at)`)
  assert.deepEqual(styles, ['true horizontal-tb'])
})

test('forms, buttons, downloads of fonts and players of sounds are not printed', CHROMIUM, async () => {
  const { page } = await openPage()
  await page.emulateMedia({ media: 'print' })
  await searchable(`${url}/acme/both`)
  const paths = ['/-/search?q=text', '/-/colors', '/-/files', '/-/file/chime.mp3', '/-/type', '/sound', '/nothing']
  for (const path of paths) {
    await page.goto(`${url}/acme/both${path}`)
    const controls = `Array.from(document.querySelectorAll('main :is(input, select, button, audio, label:has(input), .button[download])')).flatMap(each =>
      each.checkVisibility() ? [each.outerHTML] : [])`
    assert.deepEqual(await page.evaluate(controls), [], path)
  }
})

test('no sheet cuts a note, row, column, code, card, colour or details', needs('chromium', 'pdftotext'), async () => {
  const { page } = await openPage()
  const folder = await temporaryFolder()
  for (const kind of Object.keys(PARTS)) {
    await page.goto(`${url}/acme/both/${kind}`)
    const pdf = join(folder, `${kind}.pdf`)
    writeFileSync(pdf, await page.pdf({ format: 'A4' }))
    const sheets = execFileSync('pdftotext', ['-raw', pdf, '-'], { encoding: 'utf8' }).split('\f')
    assert.ok(sheets.length > 2, kind)
    const sheetOf = (word: string) => sheets.findIndex(sheet => sheet.includes(word))
    const cut = Array.from({ length: 16 }, (_, at) => at).filter(at => sheetOf(`First${at}x`) !== sheetOf(`Last${at}x`))
    assert.deepEqual(cut, [], kind)
  }
})
