import assert from 'node:assert/strict'
import test from 'node:test'
import { openAssets } from '#site/assets.ts'
import { heading } from '#site/cards/long-words.ts'
import { CHROMIUM, openPage } from '../../support/browser.ts'

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

test('a title shrinks for its longest word, not below 24 and 18 px, and then breaks', CHROMIUM, async () => {
  const parts = Object.entries(TITLES).flatMap(([lang, titles]) =>
    titles.flatMap(title => {
      const [first, second] = [heading(1, title), heading(2, title)].map(({ text }) => text)
      return `<div lang="${lang}">${first}<div class="half">${second}</div></div>`
    }),
  )
  const { page } = await openPage()
  await page.setContent(
    `<!doctype html><style>${sheet}main{margin:0 1rem}h1{font-size:6rem}.half{width:max(50%,18rem)}</style><main>${parts.join('')}</main>`,
  )
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 })
    const titles: readonly Title[] = await page.evaluate(READ_TITLES)
    const wrong = titles.filter(
      ({ size, least, isBroken, isCut }) => size < least || isCut || (isBroken && size > 1.5 * least),
    )
    assert.deepEqual([width, wrong], [width, []])
  }
})

test('a word that is longer than a line of the menu ends with an ellipsis', CHROMIUM, async () => {
  const { page } = await openPage({ viewport: { width: 1440, height: 800 } })
  await page.setContent(`<!doctype html><style>${sheet}#Menu{width:12rem}</style>${MENU}`)
  const link = 'document.querySelector("#Menu a")'
  assert.equal(await page.evaluate(`getComputedStyle(${link}).textOverflow`), 'ellipsis')
  assert.ok(await page.evaluate(`${link}.scrollWidth > ${link}.clientWidth && ${link}.clientHeight < 70`))
})

type Title = { word: string; size: number; least: number; isBroken: boolean; isCut: boolean }

/** In the browser: for each word of a title its size, the least that it may have, and whether it is on several lines or cut. */
const READ_TITLES = `Array.from(document.querySelectorAll('h1, h2'), title => {
  const shown = title.querySelector('span') ?? title
  const size = parseFloat(getComputedStyle(shown).fontSize)
  const text = document.createTreeWalker(shown, NodeFilter.SHOW_TEXT).nextNode()
  return Array.from(text.data.matchAll(/[^\\s\\u2e80-\\ufaff-]+/gu), ({ 0: word, index }) => {
    const range = new Range()
    range.setStart(text, index)
    range.setEnd(text, index + word.length)
    const isBroken = new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top))).size > 1
    return { word, size, least: title.tagName === 'H1' ? 24 : 18, isBroken, isCut: title.scrollWidth > title.clientWidth }
  })
}).flat()`
