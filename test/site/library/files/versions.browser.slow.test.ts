import assert from 'node:assert/strict'
import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { addAxe, axeProblems, CHROMIUM, openPage, watchShifts } from '#test/support/browser.ts'
import { runningService } from '#test/support/service.ts'
import { folderWith } from '#test/support/temporary.ts'
import { publishedStore } from '#test/support/temporary-store.ts'

const SETTINGS = { 'guide/project.yaml': 'visibility: public\ntheme: none\n' }
const NAME = 'a file dropped on the page of files is current, old or unknown, and nothing is uploaded'

test(NAME, CHROMIUM, async t => {
  const temporary = await publishedStore('acme/guide', {
    ...SETTINGS,
    'guide/files/logo.txt': 'one',
    'guide/files/over.txt': 'over',
  })
  await temporary.publishing('acme/guide', {
    'guide/files/logo.txt': 'two',
    'guide/files/files.yaml': 'over.txt: { until: "2024-03-01" }\n',
  })
  const { url } = await runningService(temporary)
  const files = `${url}/acme/guide/-/files`
  const list = `${files}/versions.json`
  const folder = await folderWith({
    'now.txt': 'two',
    'then.txt': 'one',
    'over.txt': 'over',
    'else.txt': 'x',
    large: '',
  })
  await truncate(join(folder, 'large'), 100_000_001)
  const paths = ['now.txt', 'then.txt', 'over.txt', 'else.txt', 'large'].map(name => join(folder, name))

  const open = async (options: BrowserContextOptions = {}) => {
    const watched = await openPage(options)
    await addAxe(watched.page)
    const shifts = await watchShifts(watched.page)
    await watched.page.goto(files)
    return { ...watched, shifts }
  }

  const { page, complaints, requests, shifts } = await open({ viewport: { width: 360, height: 740 } })
  assert.ok(!requests.includes(list))
  await page.setInputFiles('.check input', paths)
  assert.deepEqual(await verdictsOf(page, paths.length), [
    'now.txt: This is the current version. Open the current version',
    'then.txt: This version is old: revision 1 was the last that had it. Open the current version',
    'over.txt: It may no longer be used: the rights to it ended on 1 March 2024.',
    'else.txt: No published version is the same as this file.',
    'large: The file is too large to compare.',
  ])
  const links = await page.locator('.check a').evaluateAll(found => found.map(link => link.getAttribute('href')))
  assert.deepEqual(links, [`${url}/acme/guide/-/file/logo.txt`, `${url}/acme/guide/-/file/logo.txt`])
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
  await shifts.assertSmall(files)
  await page.setInputFiles('.check input', paths.slice(0, 1))
  assert.equal((await verdictsOf(page, 1)).length, 1)
  assert.equal(requests.filter(address => address === list).length, 1)
  assert.deepEqual(complaints, [])

  await t.test('files can be chosen with the keyboard', async () => {
    const { page } = await open()
    const field = page.getByLabel('Choose files, or drop them here')
    const opened = page.waitForEvent('filechooser')
    await field.focus() // The browser reports choosers by now.
    await page.keyboard.press('Enter')
    const chooser = await opened
    assert.ok(chooser.isMultiple())
    await chooser.setFiles(paths.slice(1, 2))
    assert.match((await verdictsOf(page, 1)).join(), /^then\.txt: This version is old/)
  })

  await t.test('a list that cannot be loaded is reported, and the next file is compared', async () => {
    const { page } = await open()
    await page.route(list, route => route.abort(), { times: 1 })
    await page.setInputFiles('.check input', paths.slice(0, 1))
    assert.deepEqual(await verdictsOf(page, 1), ['now.txt: It could not be compared. Try again.'])
    await page.setInputFiles('.check input', paths.slice(0, 1))
    assert.match((await verdictsOf(page, 1)).join(), /^now\.txt: This is the current version/)
  })

  for (const [name, options, init] of [
    ['outside a secure context', {}, 'Object.defineProperty(Crypto.prototype, "subtle", { value: undefined })'],
    ['without script', { javaScriptEnabled: false }, undefined],
  ] as const)
    await t.test(`${name} the page names the command`, async () => {
      const { page } = await openPage(options)
      if (init) await page.addInitScript(init)
      await page.goto(files)
      assert.equal(await page.locator('.check form').isVisible(), false)
      const command = page.locator('.check .command')
      assert.equal(await command.isVisible(), true)
      assert.match((await command.textContent()) ?? '', /housestyle lint file\.svg --brand acme\/guide$/)
    })

  for (const colorScheme of ['light', 'dark'] as const)
    await t.test(`readers with a disability can use it on a ${colorScheme} page`, async () => {
      const { page } = await open({ colorScheme })
      await page.setInputFiles('.check input', paths)
      await verdictsOf(page, paths.length)
      const problems = await axeProblems(page)
      // The card of a file that may no longer be used is pale.
      const unexpected = problems.filter(problem => !problem.includes('class="tile"'))
      assert.deepEqual(unexpected, [])
    })
})

/** What the page says about these many files, once it has compared them. */
async function verdictsOf(page: Page, count: number): Promise<string[]> {
  await page
    .locator('.check ul:not(:has(li:not([data-verdict]))) > li')
    .nth(count - 1)
    .waitFor()
  return page
    .locator('.check li')
    .evaluateAll(items => items.map(item => Array.from(item.children, ({ textContent }) => textContent).join(': ')))
}
