import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import test, { after, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { addAxe, axeProblems, CHROMIUM, openPage } from '#test/support/browser.ts'
import { freePort } from '#test/support/free-port.ts'
import { folderWith } from '#test/support/temporary.ts'
import { until } from '#test/support/until.ts'
import { MAIN } from '../../housestyle.ts'

/* The tests share `dev` as a child process and a real browser, and wait for the contents of pages. */

const COLORS = '- name: Ink\n  hex: "#000000"\n'
const BROKEN = '- name: Ink\n  hex: "#00000g"\n'
const LONG = Array.from({ length: 300 }, (_, line) => `Line ${line}.\n\n`).join('')
const CONTENTS = {
  'guide/project.yaml': 'name: Guide\n',
  'guide/pages/index.md': `# One\n\n${LONG}`,
  'guide/styles/colors.yaml': COLORS,
}
const folder = await folderWith({ 'rest/pages/index.md': '# Rest\n' })
const port = await freePort()
const { url, end } = await startDev()

test('dev updates a saved page in place, with its scroll position and focus', CHROMIUM, async t => {
  const page = await openDev(t)
  await page.locator('nav.sections li a').first().focus()
  await page.evaluate('window.marked = true; window.heard = 0; scrollTo(0, 2000)')
  await page.evaluate('document.addEventListener("housestyle:replaced", () => { window.heard++ })')
  await save('guide/pages/index.md', `# Two\n\n${LONG}`)
  await page.locator('h1', { hasText: 'Two' }).waitFor({ state: 'attached' })
  assert.deepEqual(await page.evaluate('[window.marked, window.heard, scrollY, document.activeElement.nodeName]'), [
    true,
    1,
    2000,
    'A',
  ])
})

test('dev keeps changes by a script or a reader if the saved page is the same', CHROMIUM, async t => {
  const page = await openDev(t)
  await page.locator('input[name=q]').fill('half a word')
  await page.evaluate('document.querySelector("footer").append("added by a script")')
  await save('guide/pages/logo.md', '# Logo\n')
  await page.locator('nav.sections').getByText('Logo').waitFor()
  assert.equal(await page.locator('input[name=q]').inputValue(), 'half a word')
})

test('scripts still work on elements that dev has replaced', CHROMIUM, async t => {
  const page = await openDev(t)
  const button = page.locator('button.theme')
  await page.evaluate('document.querySelector("header").append("added by a script")')
  await save('guide/project.yaml', 'name: Handbook\n')
  await page.locator('header').getByText('Handbook').waitFor()
  assert.equal(await button.textContent(), 'System')
  await button.click()
  assert.equal(await button.textContent(), 'Dark')
  assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark')
})

test('dev replaces a style sheet of the project if it has changed', CHROMIUM, async t => {
  const page = await openDev(t)
  const link = '<link rel="stylesheet" href="/acme/guide/-/type.css"></head>'
  let color = 'rgb(1, 2, 3)'
  await page.route('**/-/type.css*', route =>
    route.fulfill({ contentType: 'text/css', body: `h1 { color: ${color} }` }),
  )
  await page.route('**/acme/guide', async route => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replace('</head>', link) })
  })
  await page.reload()
  const shown = () =>
    page.evaluate<[color: string, sheets: number]>(
      '[getComputedStyle(document.querySelector("h1")).color, document.styleSheets.length]',
    )
  const [first, sheets] = await shown()
  assert.equal(first, 'rgb(1, 2, 3)')
  color = 'rgb(4, 5, 6)'
  await listening(page)
  await save('guide/pages/index.md', '# Two\n')
  await page.locator('h1', { hasText: 'Two' }).waitFor()
  assert.deepEqual(await shown(), ['rgb(4, 5, 6)', sheets])
})

test('dev moves the focus to the element that replaces the focused one', CHROMIUM, async t => {
  const page = await openDev(t, { 'guide/pages/logo.md': '# Logo\n' })
  await page.locator('nav.sections a', { hasText: 'Logo' }).focus()
  await save('guide/pages/logo.md', '# Wordmark\n')
  await page.locator('nav.sections').getByText('Wordmark').waitFor()
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Wordmark')
})

test('dev shows an error until it is fixed, and keeps the last good page', CHROMIUM, async t => {
  const page = await openDev(t)
  await save('guide/styles/colors.yaml', BROKEN)
  const panel = page.locator('.dev')
  await panel.getByText('guide/styles/colors.yaml:2').waitFor()
  assert.match((await panel.textContent()) ?? '', /^1 error\D+\.yaml:2 error value-invalid"hex" is "#00000g"; write /)
  assert.equal(await panel.getAttribute('role'), 'alert')
  await addAxe(page)
  assert.deepEqual(await axeProblems(page), [])
  await save('guide/pages/index.md', '# Two\n')
  await save('guide/styles/colors.yaml', COLORS)
  await panel.waitFor({ state: 'hidden' })
  await page.locator('h1', { hasText: 'Two' }).waitFor()
})

test('dev shows an error on a page that is opened later, and keeps it closed once closed', CHROMIUM, async t => {
  const page = await openDev(t)
  await save('guide/styles/colors.yaml', BROKEN)
  const panel = page.locator('.dev')
  const place = panel.getByText('guide/styles/colors.yaml:2')
  await place.waitFor()
  await page.reload()
  await place.waitFor()
  await panel.locator('summary').click()
  await place.waitFor({ state: 'hidden' })
  await page.reload()
  await panel.locator('summary').waitFor()
  assert.equal(await place.isVisible(), false)
  await save('guide/styles/colors.yaml', `${COLORS}${BROKEN}`)
  await panel.getByText('guide/styles/colors.yaml:4').waitFor()
})

test('dev counts warnings and shows them on request', CHROMIUM, async t => {
  const page = await openDev(t)
  await save('guide/pages/index.md', '# One\n\n[gone](gone.md)\n')
  const panel = page.locator('.dev')
  await panel.getByText('1 warning').waitFor()
  assert.equal(await panel.getByText('guide/pages/index.md:3').isVisible(), false)
  await panel.locator('summary').click()
  await panel.getByText('guide/pages/index.md:3').waitFor()
  assert.equal(await panel.getAttribute('role'), 'status')
})

test('dev shows a finding as plain text, even if it contains HTML', CHROMIUM, async t => {
  const page = await openDev(t)
  const mark = '<img src=x onerror="window.ran = true">'
  await save(`guide/pages/${mark.replaceAll('/', '')}.md`, `# X\n\n[gone](<${mark}>)\n`)
  await save('guide/styles/colors.yaml', `- name: Ink\n  ${JSON.stringify(mark)}: 1\n`)
  const panel = page.locator('.dev')
  await panel.getByText(mark).first().waitFor()
  assert.deepEqual([await panel.locator('img').count(), await page.evaluate('window.ran')], [0, undefined])
})

test('dev shows that a page was removed, and shows it again when it returns', CHROMIUM, async t => {
  const page = await openDev(t, { 'guide/pages/logo.md': '# Logo\n' }, '/acme/guide/logo')
  await page.evaluate('window.marked = true')
  await rm(join(folder, 'guide/pages/logo.md'))
  await page.getByText('This page does not exist').waitFor()
  await save('guide/pages/logo.md', '# Logo again\n')
  await page.locator('h1', { hasText: 'Logo again' }).waitFor()
  assert.equal(await page.evaluate('window.marked'), true)
})

test('dev shows that a project or the folder is missing, and continues when it returns', CHROMIUM, async t => {
  const page = await openDev(t, { 'other/pages/index.md': '# Other\n' }, '/acme/other')
  await rename(join(folder, 'other'), `${folder}-other`)
  await page.getByText('There is nothing here').waitFor()
  await rename(`${folder}-other`, join(folder, 'other'))
  await page.locator('h1', { hasText: 'Other' }).waitFor()
  await rename(folder, `${folder}-away`)
  await page.locator('.dev').getByText('the folder is missing').waitFor()
  await rename(`${folder}-away`, folder)
  await page.locator('.dev').waitFor({ state: 'hidden' })
})

test('an open page reconnects when dev is restarted, and shows changes made meanwhile', CHROMIUM, async t => {
  const page = await openDev(t)
  await page.evaluate('window.marked = true')
  await end()
  await page.locator('.dev').getByText('does not respond').waitFor()
  await save('guide/pages/index.md', '# Meanwhile\n')
  await startDev()
  await page.locator('h1', { hasText: 'Meanwhile' }).waitFor()
  await page.locator('.dev').waitFor({ state: 'hidden' })
  assert.equal(await page.evaluate('window.marked'), true)
})

/**
 * Replaces all projects of the folder but one by these and opens a page. Fails at the end if the page has violated its
 * Content-Security-Policy or logged an error.
 */
async function openDev(t: TestContext, more: Record<string, string> = {}, path = '/acme/guide') {
  for (const name of await readdir(folder)) if (name !== 'rest') await rm(join(folder, name), { recursive: true })
  await until(async () => (await fetch(`${url}/acme/guide`)).status === 404)
  const contents = await folderWith({ ...CONTENTS, ...more })
  for (const name of await readdir(contents)) await rename(join(contents, name), join(folder, name))
  await until(async () => (await fetch(url + path)).ok)
  const { page, complaints } = await openPage()
  await page.goto(url + path)
  await listening(page)
  t.after(async () => {
    await page.context().close()
    const unexpected = complaints.filter(said => !said.startsWith('console: Failed to load resource'))
    assert.deepEqual(unexpected, [])
  })
  return page
}

async function save(name: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true })
  await writeFile(join(folder, name), text)
}

async function listening(page: Page): Promise<void> {
  await page.locator('.dev').waitFor({ state: 'attached' })
}

/** Starts `dev` on the folder; it ends with the tests. */
async function startDev(): Promise<{ url: string; end: () => Promise<void> }> {
  const child = spawn(process.execPath, [MAIN, 'dev', folder, '--port', `${port}`, '--json', '--log', 'silent'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(child, 'exit')
  const end = async () => {
    child.kill('SIGTERM')
    await exit
  }
  after(end)
  for await (const line of createInterface({ input: child.stdout })) {
    const { event, url } = JSON.parse(line)
    if (event === 'listening') {
      child.stdout.resume()
      return { url, end }
    }
  }
  throw new Error('dev has ended')
}
