import assert from 'node:assert/strict'
import test from 'node:test'
import { CHROMIUM, openPage } from '../../support/browser.ts'
import { runningService } from '../../support/service.ts'
import { publishedBrand } from '../../support/temporary-store.ts'

const text = `# Page\n\n## One\n\n${'A line of text.\n\n'.repeat(40)}## Two\n\n${'A line of text.\n\n'.repeat(40)}`
const brand = {
  'guide/pages/logo.md': text,
  'guide/pages/anchors.md': `${text}<a id="here"></a>Here, ${'a line of text.\n\n'.repeat(40)}`,
  'guide/pages/logo/size.md': text,
  ...Object.fromEntries(['voice', ...'abcdefgh'].map(id => [`guide/pages/${id}.md`, text])),
}
const { url } = await runningService(
  await publishedBrand({
    ...brand,
    'guide/project.yaml': 'visibility: public\nnav: sections\n',
    ...Object.fromEntries(Object.entries(brand).map(([path, page]) => [path.replace('guide', 'plain'), page])),
  }),
)

test('a link to a heading shows it below the header, at any width, in any layout', CHROMIUM, async () => {
  for (const width of [360, 768, 1024, 1440, 1920])
    for (const path of ['guide/logo/size', 'guide/voice', 'plain/logo/size']) {
      const { page } = await openPage({ viewport: { width, height: 800 }, reducedMotion: 'reduce' })
      await page.goto(`${url}/acme/${path}#two`)
      const distance: unknown = await page.evaluate(`(() => {
        const bars = [...document.querySelectorAll('.top, .subnav')].map(bar => bar.getBoundingClientRect().bottom)
        return Math.round(document.getElementById('two').getBoundingClientRect().top - Math.max(...bars))
      })()`)
      assert.ok(typeof distance === 'number' && distance >= 4 && distance <= 40, `${path} at ${width}: ${distance}`)
      await page.close()
    }
})

test('a link from another page shows the element with an id of its author', CHROMIUM, async () => {
  const { page, complaints } = await openPage({ viewport: { width: 1024, height: 800 }, reducedMotion: 'reduce' })
  for (const hash of ['#here', '#two', '#gone']) {
    await page.goto(`${url}/acme/guide/voice`)
    await page.goto(`${url}/acme/guide/anchors${hash}`)
    const top = await page.evaluate(`document.querySelector('#user-content-here').getBoundingClientRect().top`)
    assert.equal(typeof top === 'number' && top >= 0 && top < 200, hash === '#here', hash)
  }
  assert.deepEqual(complaints, [])
})

test('Escape closes the list of more sections, and its button has the focus', CHROMIUM, async () => {
  const { page, complaints } = await openPage({ viewport: { width: 1440, height: 800 } })
  await page.goto(`${url}/acme/guide/voice`)
  const more = page.locator('.sections summary')
  await more.click()
  const link = page.locator('.sections details a:visible').first()
  assert.equal(await link.isVisible(), true)
  await link.focus()
  await page.keyboard.press('Escape')
  assert.equal(await link.isVisible(), false)
  assert.equal(await page.evaluate('document.activeElement === document.querySelector(".sections summary")'), true)
  assert.deepEqual(complaints, [])
})

test('the header is one row at every width, with sections in it or under More', CHROMIUM, async () => {
  for (const width of [960, 1100, 1280, 1920]) {
    const { page } = await openPage({ viewport: { width, height: 800 } })
    await page.goto(`${url}/acme/guide/voice`)
    const bar = await page.locator('.sections').boundingBox()
    assert.ok(bar && bar.y + bar.height <= 60, `${width}`)
    await page.locator('.sections summary').click()
    const shown = page.locator('.sections a:visible')
    const paths = await shown.evaluateAll(links => links.map(link => link.getAttribute('href')))
    assert.deepEqual([paths.length, new Set(paths).size], [11, 11])
    await page.close()
  }
})

test('the theme switch is an icon with a name at every width', CHROMIUM, async () => {
  for (const width of [360, 1440]) {
    const { page } = await openPage({ viewport: { width, height: 800 } })
    await page.goto(`${url}/acme/guide/voice`)
    const button = page.getByRole('button', { name: 'Theme: System' })
    assert.equal((await button.boundingBox())?.width, 36)
    assert.equal(await button.getAttribute('title'), 'Theme: System')
    await page.close()
  }
})

test('the mark of the target of a link fades', CHROMIUM, async () => {
  const { page } = await openPage()
  await page.goto(`${url}/acme/guide/voice#two`)
  const ground = `getComputedStyle(document.getElementById('two')).backgroundColor`
  assert.notEqual(await page.evaluate(ground), 'rgba(0, 0, 0, 0)')
  await page.evaluate(
    `Promise.all(document.getElementById('two').getAnimations().map(each => (each.finish(), each.finished)))`,
  )
  assert.equal(await page.evaluate(ground), 'rgba(0, 0, 0, 0)')
})
