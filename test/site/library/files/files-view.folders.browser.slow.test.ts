import assert from 'node:assert/strict'
import test from 'node:test'
import { addAxe, axeProblems, CHROMIUM, openPage } from '#test/support/browser.ts'
import { runningService } from '#test/support/service.ts'
import { publishedStore } from '#test/support/temporary-store.ts'

const NAME = 'a list of more than 300 files is searched, keeps the selection in its folders, and fits a phone'

test(NAME, CHROMIUM, async () => {
  const names = Array.from({ length: 301 }, (_, at) => `large/files/${at % 2 ? 'icons' : 'signs'}/${at}.bin`)
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><circle r="4"/></svg>'
  const temporary = await publishedStore('acme/large', {
    'large/project.yaml': 'visibility: public\n',
    'large/files/signs/0.svg': svg,
    ...Object.fromEntries(names.map(name => [name, name])),
  })
  const { url } = await runningService(temporary)
  const files = `${url}/acme/large/-/files`

  const { page, complaints } = await openPage({ viewport: { width: 360, height: 740 } })
  await addAxe(page)
  for (const path of [`${url}/acme/large/-/folder/files/signs`, files]) {
    await page.goto(path)
    assert.deepEqual(await axeProblems(page), [])
  }
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
  assert.equal(await page.getByRole('status').textContent(), '301 files')

  await page.getByRole('link', { name: 'Icons' }).click()
  await page.getByRole('checkbox', { name: 'Select 299' }).check()
  await page.getByRole('link', { name: 'Files', exact: true }).first().click()
  await page.getByRole('link', { name: 'Signs' }).click()
  await page.waitForURL(`${url}/acme/large/-/folder/files/signs`)
  const button = page.getByRole('button', { name: 'Download as ZIP' })
  assert.equal(await button.textContent(), 'Download as ZIP (1)')
  await page.getByLabel('Filter by name').fill('300')
  assert.equal(await page.getByRole('status').textContent(), '1 of 151 files')

  await page.goto(files)
  await page.getByLabel('Words, a colour value, or part of a file name').fill('299')
  await page.keyboard.press('Enter')
  await page.getByRole('main').getByRole('link', { name: '299' }).first().waitFor()
  assert.deepEqual(complaints, [])
})
