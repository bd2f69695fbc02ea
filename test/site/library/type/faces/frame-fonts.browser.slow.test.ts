import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { CHROMIUM, openPage } from '#test/support/browser.ts'
import { runningService } from '#test/support/service.ts'
import { publishedBrand } from '#test/support/temporary-store.ts'

const FRAUNCES = readFileSync('node_modules/@fontsource-variable/fraunces/files/fraunces-latin-full-normal.woff2')
const RECURSIVE = readFileSync('node_modules/@fontsource-variable/recursive/files/recursive-latin-slnt-normal.woff2')
const { url } = await runningService(
  await publishedBrand({
    'type/project.yaml': 'visibility: public\ntheme: { heading: title, body: body }\n',
    'type/styles/types.yaml': `- { name: Title, family: Fraunces, weight: 650, axes: { SOFT: 100, WONK: 1 } }
- { name: Body, family: Fraunces, weight: 350 }
`,
    'type/files/fraunces.woff2': FRAUNCES,
    'type/pages/tools.md': `# Hammers & handles\n\nFine **tools** for wood. ${'The plane takes a shaving. '.repeat(40)}\n`,
    'lean/project.yaml': 'visibility: public\ntheme: { body: body }\n',
    'lean/styles/types.yaml':
      '- { name: Body, family: Recursive }\n- { name: Quote, family: Recursive, style: italic }\n',
    'lean/files/recursive.woff2': RECURSIVE,
    'lean/pages/plain.md': '# Plain\n\nFine hammers.\n',
    'lean/pages/tools.md': '# Tools\n\nFine *hammers* for **wood** and [Quote](../styles/types.yaml#quote).\n',
  }),
)

test('italics lean along the axis of a font, in a subset of their own', CHROMIUM, async () => {
  const { page, complaints, requests } = await openPage({ viewport: { width: 900, height: 700 } })
  const fontsOf = async (path: string) => {
    const before = requests.length
    await page.goto(`${url}/acme/lean/${path}`)
    await page.evaluate('document.fonts.ready')
    return new Set(requests.slice(before).filter(each => each.includes('.woff2'))).size
  }
  assert.deepEqual([await fontsOf('plain'), await fontsOf('tools')], [1, 2])
  for (const [path, selector] of [
    ['tools', 'main em'],
    ['-/type', '.type-quote'],
  ] as const) {
    await fontsOf(path)
    const element = page.locator(selector).first()
    const shown = await element.screenshot()
    await page.evaluate(`(${drawWhole})(...${JSON.stringify([selector, '', RECURSIVE.toString('base64')])})`)
    const differs = async (slant: number) => {
      const css = `;font-style:normal;font-variation-settings:"slnt" ${slant}`
      await page.evaluate(`document.querySelector('${selector}').style.cssText += '${css}'`)
      const pictures = [shown, await element.screenshot()].map(each => each.toString('base64'))
      return page.evaluate<number>(`(${differentPixels})(...${JSON.stringify(pictures)})`)
    }
    const [same, upright] = [await differs(-15), await differs(0)]
    assert.ok(same < 50 && upright > 5 * same + 50, `${path}: ${same} pixels differ, from upright text ${upright}`)
  }
  assert.deepEqual(complaints, [])
})

test('the first view of a page is in the fonts, weight and axes of its theme', CHROMIUM, async () => {
  const address = `${url}/acme/type/tools`
  const { headers } = await fetch(address)
  const ahead = Array.from(headers.get('link')?.matchAll(/<([^>]+)>/g) ?? [], ([, path = '']) => path)
  assert.equal(ahead.length, 2)
  for (const path of ahead) {
    assert.match(path, /\/-\/fonts\/[0-9a-f]{16}\/fraunces-latin\.woff2$/)
    assert.ok((await fetch(url + path)).ok)
  }
  const { page, complaints, requests } = await openPage({ viewport: { width: 560, height: 700 } })
  const network = await page.context().newCDPSession(page)
  const slow = { latency: 150, downloadThroughput: 200_000, uploadThroughput: 90_000, offline: false }
  await network.send('Network.enable')
  await network.send('Network.emulateNetworkConditions', slow)
  await page.goto(address)
  await page.evaluate('document.fonts.ready')
  assert.deepEqual(requests.filter(each => each.includes('.woff2')).sort(), ahead.map(path => url + path).sort())
  for (const selector of ['h1', 'main p', 'main strong']) {
    const element = page.locator(selector).first()
    const shown = await element.screenshot()
    const differs = async (weight: string) => {
      await page.evaluate(`(${drawWhole})(...${JSON.stringify([selector, weight, FRAUNCES.toString('base64')])})`)
      const pictures = [shown, await element.screenshot()].map(each => each.toString('base64'))
      return page.evaluate<number>(`(${differentPixels})(...${JSON.stringify(pictures)})`)
    }
    // Coordinates of a subset are rounded, which changes the edges of a few letters slightly.
    const [same, other] = [await differs(''), await differs('800')]
    assert.ok(same < 50 && other > 5 * same + 50, `${selector}: ${same} pixels differ, in another weight ${other}`)
  }
  assert.deepEqual(complaints, [])
})

/** Runs in the page: draws an element in the whole font, in a weight or its own. */
const drawWhole = `async (selector, weight, font) => {
  const bytes = Uint8Array.from(atob(font), letter => letter.charCodeAt(0))
  document.fonts.add(await new FontFace('Whole', bytes, { weight: '100 900' }).load())
  const { style } = document.querySelector(selector)
  style.fontFamily = 'Whole'
  style.fontWeight = weight
}`

/** Runs in the page: the number of clearly different pixels of two pictures of the same size. */
const differentPixels = `async (...pictures) => {
  const [one, other] = await Promise.all(pictures.map(async picture => {
    const bytes = Uint8Array.from(atob(picture), letter => letter.charCodeAt(0))
    const image = await createImageBitmap(new Blob([bytes]))
    const context = new OffscreenCanvas(900, 700).getContext('2d')
    context.drawImage(image, 0, 0)
    return context.getImageData(0, 0, 900, 700).data
  }))
  return one.filter((value, at) => at % 4 === 0 && Math.abs(value - other[at]) > 64).length
}`
