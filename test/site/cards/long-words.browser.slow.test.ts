import assert from 'node:assert/strict'
import test from 'node:test'
import { openAssets } from '#site/assets.ts'
import { heading } from '#site/cards/long-words.ts'
import { openPage } from '../../support/browser.ts'
import { needs } from '../../support/programs.ts'

const TITLES: Readonly<Record<string, readonly string[]>> = {
  ar: ['المسؤولية الاجتماعية للمستخدمين'],
  de: [
    'Barrierefreiheitsanforderungen',
    'Donaudampfschifffahrtsgesellschaft',
    'Unternehmenskommunikation',
    'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz',
  ],
  en: ['Internationalization', 'Accessibility commitments'],
  es: ['Responsabilidades institucionales', 'Electroencefalografista'],
  fr: ['Anticonstitutionnellement', 'Développement communautaire'],
  it: ['Precipitevolissimevolmente', 'Riconoscibilità'],
  ja: ['コーポレートコミュニケーションガイドライン'],
  nl: ['Arbeidsongeschiktheidsverzekering', 'Toegankelijkheid'],
  pt: ['Inconstitucionalissimamente', 'MULTIDISCIPLINARIDADE'],
}
const MENU = '<nav id="Menu" lang="de"><ul><li><a>Donaudampfschifffahrtsgesellschaft und Logo</a></li></ul></nav>'
const WIDTHS = [320, 390, 768, 1024, 1440, 1920]

const assets = openAssets('')
const sheet = new TextDecoder().decode(assets.find(assets.path('site.css'))?.bytes)

test('no word of a title is broken, from narrow to wide windows, in each language', needs('chromium'), async () => {
  const parts = Object.entries(TITLES).flatMap(([lang, titles]) =>
    titles.flatMap(title => {
      const [first, third] = [heading(1, title), heading(3, title)].map(({ text }) => text)
      return `<div lang="${lang}">${first}<div class="half">${third}</div></div>`
    }),
  )
  const { page } = await openPage()
  await page.setContent(
    `<!doctype html><style>${sheet}main{margin:0 1rem}h1{font-size:6rem}.half{width:max(50%,18rem)}</style><main>${parts.join('')}</main>`,
  )
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 })
    assert.deepEqual([width, await page.evaluate(BROKEN_WORDS)], [width, []])
  }
})

test('a word that is longer than a line of the menu ends with an ellipsis', needs('chromium'), async () => {
  const { page } = await openPage({ viewport: { width: 1440, height: 800 } })
  await page.setContent(`<!doctype html><style>${sheet}#Menu{width:12rem}</style>${MENU}`)
  const link = 'document.querySelector("#Menu a")'
  assert.equal(await page.evaluate(`getComputedStyle(${link}).textOverflow`), 'ellipsis')
  assert.ok(await page.evaluate(`${link}.scrollWidth > ${link}.clientWidth && ${link}.clientHeight < 70`))
})

/** In the browser: the words of headings that are on several lines without a hyphen. */
const BROKEN_WORDS = `Array.from(document.querySelectorAll('h1, h3'), title => {
  const text = (title.querySelector('span') ?? title).firstChild
  return Array.from(text.textContent.matchAll(/[^\\s\\u2e80-\\ufaff-]+/gu), ({ 0: word, index }) => {
    const range = new Range()
    range.setStart(text, index)
    range.setEnd(text, index + word.length)
    return new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top))).size > 1 ? word : []
  })
}).flat(2)`
