import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import type { BrowserContextOptions } from 'playwright-core'
import { CHROMIUM, openPage } from '../support/browser.ts'
import { runningService } from '../support/service.ts'
import { publishedBrand } from '../support/temporary-store.ts'

const svg = (color: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="30"><path fill="${color}" d="M0 0h60v30H0z"/></svg>`
const PAGE = readFileSync(new URL('../fixtures/website/forms.md', import.meta.url), 'utf8')
const library = (project: string) => ({
  [`${project}/pages/index.md`]: '# Home\n\n[A](../files/a.svg)\n\n[All](../files/)\n',
  [`${project}/styles/colors.yaml`]: '- { name: Paper, hex: "#faf7f2" }\n',
  [`${project}/files/a.svg`]: svg('red'),
})
const temporary = await publishedBrand({
  'forms/pages/index.md': PAGE,
  'forms/pages/a.svg': svg('red'),
  'forms/pages/b.svg': svg('blue'),
  'worn/project.yaml': 'visibility: public\ntheme: { ground: paper }\n',
  ...library('worn'),
  ...library('plain'),
  'rtl/project.yaml': 'visibility: public\nlang: he\n',
  'rtl/styles/colors.yaml': '- { name: ليل, id: night, hex: "#123456", proportion: 60 }\n',
  'rtl/pages/index.md':
    '# دليل\n\nالرمز `#123456` هنا.\n\n[ليل](../styles/colors.yaml#night)\n\n- [ليل](../styles/colors.yaml#night) 60 %\n\n> [!NOTE]\n> نص\n',
})
await temporary.publishing('acme/forced', {
  'forced/project.yaml': 'visibility: public\ntheme: { logo: files/white.svg, logoDark: files/white.svg }\n',
  'forced/styles/colors.yaml': '- { name: Night, hex: "#123456" }\n',
  'forced/files/white.svg': svg('#fff'),
  'forced/files/files.yaml': 'white.svg: { ground: night }\n',
  'forced/pages/index.md': '---\nground: night\n---\n# Home\n\n![White](../files/white.svg)\n',
})
const { url } = await runningService(temporary)

async function openForms(options: BrowserContextOptions) {
  const { page, complaints } = await openPage({ viewport: { width: 800, height: 600 }, ...options })
  await page.goto(`${url}/acme/forms`)
  return { page, complaints }
}

test('a picture is enlarged by a click or the keyboard, and gives the focus back', CHROMIUM, async () => {
  const { page, complaints } = await openForms({})
  const frame = page.locator('.enlarge').first()
  const dialog = page.locator('dialog')
  for (const [open, close] of [
    [() => page.keyboard.press('Enter'), () => page.keyboard.press('Escape')],
    [() => frame.click(), () => dialog.locator('img').click()],
    [() => frame.click(), () => page.keyboard.press('Enter')],
  ] as const) {
    await frame.focus()
    await open()
    assert.deepEqual([await dialog.getAttribute('aria-label'), await dialog.isVisible()], ['A logo', true])
    assert.ok(((await dialog.locator('img').boundingBox())?.width ?? 0) > 600)
    await close()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await page.evaluate('document.activeElement.className'), 'picture enlarge')
  }
  assert.deepEqual(complaints, [])
})

test('without script a picture links to its file', CHROMIUM, async () => {
  const { page } = await openForms({ javaScriptEnabled: false })
  await page.locator('.enlarge').first().click()
  assert.match(page.url(), /\/a\.svg$/)
})

test('only the picture for the current colour scheme is visible', CHROMIUM, async () => {
  const { page } = await openForms({ colorScheme: 'dark' })
  const seen = async () => [
    await page.locator('img[alt=Light]').isVisible(),
    await page.locator('img[alt=Dark]').isVisible(),
  ]
  assert.deepEqual(await seen(), [false, true])
  await page.locator('html').evaluate(root => root.setAttribute('data-theme', 'light'))
  assert.deepEqual(await seen(), [true, false])
  await page.emulateMedia({ colorScheme: 'light' })
  assert.deepEqual(await seen(), [true, false])
  await page.locator('html').evaluate(root => root.setAttribute('data-theme', 'dark'))
  assert.deepEqual(await seen(), [false, true])
})

test('one tab is open at a time, by pointer and keyboard, and on paper all are', CHROMIUM, async () => {
  const { page } = await openForms({ javaScriptEnabled: false })
  const seen = async () => [await page.getByText('First').isVisible(), await page.getByText('Second').isVisible()]
  assert.deepEqual(await seen(), [true, false])
  await page.getByText('Two').click()
  assert.deepEqual(await seen(), [false, true])
  await page.locator('summary').first().focus()
  await page.keyboard.press('Enter')
  assert.deepEqual(await seen(), [true, false])
  const [one, two] = [await page.getByText('One').boundingBox(), await page.getByText('Two').boundingBox()]
  assert.equal(one?.y, two?.y)
  await page.emulateMedia({ media: 'print' })
  assert.deepEqual(await seen(), [true, true])
})

test('a task has a box instead of a bullet; the other items of its list keep number or bullet', CHROMIUM, async () => {
  const { page } = await openForms({})
  const types = await page.evaluate(
    "Array.from(document.querySelectorAll('.contains-task-list li'), each => getComputedStyle(each).listStyleType)",
  )
  assert.deepEqual(types, ['decimal', 'decimal', 'none', 'disc'])
})

test('pictures on cards have their own ground, else that of the theme, else grey', CHROMIUM, async () => {
  const grounds = async (id: string, colorScheme: 'light' | 'dark') => {
    const { page } = await openPage({ colorScheme })
    const found: string[] = []
    for (const [path, selector] of [
      ['', '.face'],
      ['', '.thumbs :is(.tile:not(:has(.even)), .even)'],
      ['/-/files', '.tile'],
    ] as const) {
      await page.goto(`${url}/acme/${id}${path}`)
      const colors = `Array.from(document.querySelectorAll('${selector}'), each => getComputedStyle(each).backgroundColor)`
      found.push(...(await page.evaluate<string[]>(colors)))
    }
    return new Set(found)
  }
  for (const scheme of ['light', 'dark'] as const)
    assert.deepEqual(await grounds('worn', scheme), new Set(['rgb(250, 247, 242)', 'rgb(255, 0, 0)']), scheme)
  assert.equal((await grounds('plain', 'dark')).has('rgb(112, 119, 127)'), true)
})

test('in a right-to-left guide, colour values run left to right, and fit', CHROMIUM, async () => {
  const { page } = await openPage({})
  await page.goto(`${url}/acme/rtl`)
  const left = (selector: string, at: number) =>
    `(() => { const range = new Range(); const text = Array.from(document.querySelector('${selector}').childNodes).find(node => node.nodeType === 3); range.setStart(text, ${at}); range.setEnd(text, ${at} + 1); return range.getBoundingClientRect().left })()`
  for (const selector of ['code', 'dd'])
    assert.equal(await page.evaluate(`${left(selector, 0)} < ${left(selector, 6)}`), true, selector)
  const isInside = `(() => { const [strip, text] = ['.proportions svg', '.proportions text'].map(each => document.querySelector(each).getBoundingClientRect()); return text.left > strip.left && text.right < strip.right })()`
  assert.equal(await page.evaluate(isInside), true)
})

test('on a right-to-left page, English words run left to right at the right', CHROMIUM, async () => {
  const { page } = await openPage({})
  await page.goto(`${url}/acme/rtl`)
  const label = page.locator('.callout p').first()
  const english = label.locator('bdi:lang(en)')
  assert.equal(await english.textContent(), 'Note')
  const directionOf = (selector: string) =>
    page.evaluate(`getComputedStyle(document.querySelector('${selector}')).direction`)
  assert.deepEqual([await directionOf('.callout p'), await directionOf('.callout p bdi')], ['rtl', 'ltr'])
  const [around, inside] = [await label.boundingBox(), await english.boundingBox()]
  assert.ok(around && inside)
  const left = inside.x - around.x
  const right = around.x + around.width - inside.x - inside.width
  assert.ok(right < left, `${right} px at the right, ${left} px at the left`)
})

test('a white logo keeps its ground where readers choose the colours', CHROMIUM, async () => {
  const { page } = await openPage({ forcedColors: 'active', colorScheme: 'light' })
  await page.goto(`${url}/acme/forced`)
  const grounds = await page.evaluate(`['.top .logo', 'main .picture'].map(
    place => getComputedStyle(document.querySelector(place)).backgroundColor)`)
  assert.deepEqual(grounds, ['rgb(18, 52, 86)', 'rgb(18, 52, 86)'])
  await page.close()
})
