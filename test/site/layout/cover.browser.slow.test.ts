import assert from 'node:assert/strict'
import test from 'node:test'
import { CHROMIUM, openPage } from '../../support/browser.ts'
import { runningService } from '../../support/service.ts'
import { publishedBrand } from '../../support/temporary-store.ts'

const LONG = 'Unternehmenskommunikationsabteilung'
const COLORS = '- { name: Plum, hex: "#7a1fa2" }\n- { name: Red, hex: "#e63329" }\n- { name: Paper, hex: "#ffffff" }\n'
const { url } = await runningService(
  await publishedBrand({
    'words/project.yaml': `name: ${LONG}\nlang: de\nvisibility: public\n`,
    'words/styles/colors.yaml': COLORS,
    'words/pages/index.md': `---\ncover: plum\ndescription: ${LONG}\n---\n# ${LONG}\n`,
    'words/pages/logo.md': `---\nground: plum\ndescription: Die ${LONG}\n---\n# ${LONG}\n`,
    'words/files/film/geschwindigkeit.webm': 'a film',
    'sizes/project.yaml':
      'visibility: public\ntheme: { ground: paper, scale: { title: big, lead: lead, label: label, caption: label } }\n',
    'sizes/styles/colors.yaml': COLORS,
    'sizes/styles/types.yaml':
      '- { name: Big, size: 60 }\n- { name: Lead, size: 20, leading: 1.25 }\n- { name: Label, size: 12, tracking: 0.1 }\n',
    'sizes/pages/dark.md': '---\nground: plum\ndescription: A lead\n---\n# Dark\n',
    'sizes/pages/lone.md': '# Lone\n\nA lone sentence.\n',
    'sizes/pages/faint.md': '---\nground: red\ndescription: A lead\n---\n# Faint\n',
  }),
)
const WIDTHS = [320, 390, 768, 1024, 1440, 1920]

test('the lines of a long word fit on covers, tiles of films and listed guides', CHROMIUM, async () => {
  const { page } = await openPage()
  for (const path of ['/words', '/words/logo', '/words/-/files', ''])
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 })
      await page.goto(`${url}/acme${path}`)
      assert.deepEqual([path, width, await page.evaluate(SMALL_OR_CUT)], [path, width, []])
    }
})

test('leads and letters on a cover have the styles of the brand', CHROMIUM, async () => {
  const { page } = await openPage()
  for (const [path, sizes] of [
    ['dark', ['60px', '20px', '25px', '12px', '1.2px', '400']],
    ['faint', ['60px', '24px', '30px', '24px', '2.4px', '400']],
  ] as const) {
    await page.setViewportSize({ width: 1440, height: 800 })
    await page.goto(`${url}/acme/sizes/${path}`)
    assert.deepEqual([path, await page.evaluate(SIZES)], [path, sizes])
  }
  await page.goto(`${url}/acme/sizes/lone`)
  const lead = 'getComputedStyle(document.querySelector(".lead"))'
  assert.deepEqual(await page.evaluate(`[${lead}.fontSize, ${lead}.lineHeight]`), ['20px', '25px'])
})

/** In the browser: the size of the title, the size and leading of the lead, and size, tracking and weight of the label. */
const SIZES = `(() => {
  const [title, lead, label] = ['h1', '.lead', '.trail li'].map(part => getComputedStyle(document.querySelector('.cover ' + part)))
  return [title.fontSize, lead.fontSize, lead.lineHeight, label.fontSize, label.letterSpacing, label.fontWeight]
})()`

/** In the browser: the texts of covers, tiles and names that are smaller than 14 px or wider than their box. */
const SMALL_OR_CUT = `Array.from(document.querySelectorAll(':is(.cover, .still, .guides) :is(h1, p, li, a, span)'), part => {
  const isSmall = parseFloat(getComputedStyle(part).fontSize) < 14
  return isSmall || part.scrollWidth > part.clientWidth + 1 ? [part.textContent] : []
}).flat()`
