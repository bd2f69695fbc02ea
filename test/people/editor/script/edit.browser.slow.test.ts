import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { brotliCompressSync } from 'node:zlib'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { addAxe, axeProblems, CHROMIUM, openPage, type WatchedPage } from '#test/support/browser.ts'
import { startGitServer } from '#test/support/git-server.ts'
import { sessionCookie } from '#test/support/people-service.ts'
import { runningService } from '#test/support/service.ts'
import { temporaryStore } from '#test/support/temporary-store.ts'
import { until } from '#test/support/until.ts'

const LOGO = readFileSync(new URL('../../../../examples/acme/guidelines/files/logo/acme-logo.svg', import.meta.url))
const VOICE = `---
title: Voice
---

# Voice

Say it in **plain** words, as in [our rules](rules.md),
without *jargon*.

> [!TIP]
> Read it aloud.

- one
- two

![The logo](../files/logo.svg)

| Say | Not |
|---|---|
| use | **utilise** |

The end.
`
const FILES = {
  'workspace.yaml': 'name: Acme\nid: acme\n',
  'guide/project.yaml': 'name: Guide\n',
  'guide/pages/index.md': '# Hello\n',
  'guide/pages/voice.md': VOICE,
  'guide/pages/rules.md': '# Rules\n\nOne.\n\nTwo.\n',
  'guide/pages/windows.md':
    '---\r\ntitle: Windows\r\n---\r\n\r\n# Windows\r\n\r\nOne,\r\ntwo.  \r\nThree.\r\n\tFour.\r\n',
  'guide/pages/kept.md': '# Kept\n\nOne.\n',
  'guide/pages/lists.md': '# Lists\n\nOne.\n',
  'guide/pages/bare.md': '# Bare\n',
  'guide/pages/pictures.md': '# Pictures\n\nOne.\n',
  'guide/pages/input.md': '# Input\n\nOne.\n\nשלום\n',
  'guide/pages/long.md': `# Long\n\n${'A paragraph of ten words, which fills a line or two.\n\n'.repeat(300)}The end.\n`,
  'guide/styles/colors.yaml': '- name: Ink\n  hex: "#14212b"\n- name: Sand\n  hex: "#eeddcc"\n',
  'guide/pages/large.md': `# Large\n\n${'Some **words** of a large page.\n\n'.repeat(9000)}`,
  'guide/files/logo.svg': `${LOGO}`,
}

const server = await startGitServer()
const repository = await server.make('brand')
await repository.commit(FILES)
const temporary = await temporaryStore()
const { url } = await runningService(temporary, { git: repository.url, edit: 'on' })
const cookie = await sessionCookie(temporary, 'acme', { name: 'Mia', edits: 'all', manages: 'all' })
await until(async () => (await fetch(`${url}/acme/guide/-/edit/voice`, { headers: { cookie } })).ok)

const LIMIT = { timeout: 120_000, ...CHROMIUM }

test('typing on a page changes only its line, and Ctrl+S saves it with the cursor where it is', LIMIT, async () => {
  const { page, complaints } = await edit('rules')
  await text(page).getByText('Two.').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' Three.')
  await page.keyboard.press('Control+s')
  await saved(page).waitFor()
  assert.equal(await file('guide/pages/rules.md'), '# Rules\n\nOne.\n\nTwo. Three.')
  await page.keyboard.type(' Four.')
  assert.equal(await typed(page), '# Rules\n\nOne.\n\nTwo. Three. Four.')
  assert.match(page.url(), /\/-\/edit\/rules\?saved=[0-9a-f]{40}/)
  await page.keyboard.press('Control+s')
  await until(async () => (await file('guide/pages/rules.md')).endsWith('Two. Three. Four.'))
  await page
    .getByRole('status')
    .filter({ hasText: /Live|Waits for publication/ })
    .waitFor()
  assert.deepEqual(real(complaints), [])
})

test('a page with CRLF keeps each byte that nobody changes', LIMIT, async () => {
  const { page } = await edit('windows')
  await text(page).getByText('Three').click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('!')
  await page.getByRole('button', { name: 'Save' }).click()
  await saved(page).waitFor()
  assert.equal(`${await file('guide/pages/windows.md')}\n`, FILES['guide/pages/windows.md'].replace('Four.', 'Four.!'))
})

test('a page is shown as readers see it, and signs only on the line with the cursor', LIMIT, async () => {
  const { page } = await edit('voice')
  const shown = () => page.evaluate<string>('document.querySelector(".cm-content").innerText')
  assert.deepEqual((await shown()).split(/\s*\n\s*/), [
    'Voice',
    'Say it in plain words, as in our rules, without jargon.',
    'Tip',
    'Read it aloud.',
    '•one',
    '•two',
    '| Say | Not |',
    '|---|---|',
    '| use | **utilise** |',
    'The end.',
  ])
  assert.deepEqual(await text(page).locator('strong, em, a, h1').allInnerTexts(), [
    'Voice',
    'plain',
    'our rules',
    'jargon',
  ])
  const picture = text(page).getByRole('img', { name: 'The logo' })
  await page.waitForFunction('document.querySelector(".picture img")?.naturalWidth')
  await text(page).getByText('Read it aloud.').click()
  assert.match(await shown(), /Tip\n> Read it aloud\./)
  assert.equal(await picture.count(), 1)
  await text(page).getByText('The end.').click()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  assert.match(await shown(), /\| use \| \*\*utilise\*\* \|/)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  assert.match(await shown(), /!\[The logo\]\(\.\.\/files\/logo\.svg\)/)
  assert.equal(await typed(page), VOICE.slice(VOICE.indexOf('# Voice')).trimEnd())
})

test('the toolbar and keys write Markdown; Enter begins a paragraph or continues a list', LIMIT, async () => {
  const { page } = await edit('lists')
  await text(page).getByText('One.').click()
  await page.keyboard.press('Home')
  await page.keyboard.press('Control+b')
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('two')
  await page.getByRole('button', { name: 'Heading' }).click()
  await page.keyboard.press('Enter')
  await page.keyboard.type('three')
  await page.getByRole('button', { name: 'List' }).click()
  await page.keyboard.press('Enter')
  await page.keyboard.type('four')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Control+i')
  assert.equal(await typed(page), '# Lists\n\n**One**.\n\n## two\n\n- three\n  - *four*')
})

test('Cancel asks before a changed text is left', LIMIT, async () => {
  const own = await sessionCookie(temporary, 'acme', { subject: 'cancel', edits: 'all' })
  const { page, complaints } = await edit('kept', {}, own)
  await text(page).getByText('One.').click()
  await page.keyboard.type('Mine. ')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await until(() => Promise.resolve(complaints.some(each => each.startsWith('dialog'))))
  assert.match(await typed(page), /Mine\. /)
})

test('a page with only its title has a line below it to write on', LIMIT, async () => {
  const { page } = await edit('bare')
  await text(page).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('One.')
  assert.equal(await typed(page), '# Bare\n\nOne.')
})

test('Escape, then Tab leaves the text; axe finds nothing', LIMIT, async () => {
  const { page } = await edit('voice')
  await text(page).getByText('The end.').click()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate('document.activeElement.id'), 'summary')
  await addAxe(page)
  assert.deepEqual(await axeProblems(page), [])
})

test('the browser keeps a text until it is saved, and offers it when the page opens again', LIMIT, async () => {
  const own = await sessionCookie(temporary, 'acme', { subject: 'own', edits: 'all' })
  const { page: first } = await edit('kept', {}, own)
  await text(first).getByText('One.').click()
  await first.keyboard.type('Mine. ')
  await until(async () => (await keptIn(first)) === 1)
  const written = await typed(first)
  const page = await first.context().newPage()
  await page.goto(first.url())
  assert.equal(await typed(page), '# Kept\n\nOne.')
  await page.getByRole('button', { name: 'Restore' }).click()
  await page.waitForFunction('document.querySelector("[data-unsaved]")')
  assert.equal(await typed(page), written)
  assert.equal(await keptIn(page), 1)
  await page.close()
  const third = await first.context().newPage()
  await third.goto(first.url())
  await third.getByRole('button', { name: 'Discard' }).click()
  assert.equal(await typed(third), '# Kept\n\nOne.')
  assert.equal(await keptIn(first), 0)
  await first.keyboard.type('x')
  await until(async () => (await keptIn(first)) === 1)
  await third.goto(`${url}/-/signout?workspace=acme`)
  await third.getByRole('button', { name: 'Sign out' }).click()
  await until(async () => (await keptIn(first)) === 0)
})

test('a save is undone with the button beside it', LIMIT, async () => {
  const { page } = await edit('lists')
  await text(page).getByText('One.').click()
  await page.keyboard.type('Wrong. ')
  await page.keyboard.press('Control+s')
  await page.getByRole('button', { name: 'Undo this save' }).click()
  await page.waitForURL(/saved=/)
  assert.equal(await file('guide/pages/lists.md'), '# Lists\n\nOne.')
})

test('tabs with one page keep their own texts, and both are offered with time and first words', LIMIT, async () => {
  const own = await sessionCookie(temporary, 'acme', { subject: 'tabs', edits: 'all' })
  const { page: first } = await edit('kept', {}, own)
  const second = await first.context().newPage()
  await second.goto(first.url())
  for (const [page, words] of [
    [first, 'First. '],
    [second, 'Second. '],
  ] as const) {
    await text(page).getByText('One.').click()
    await page.keyboard.type(words)
  }
  await until(async () => (await keptIn(first)) === 2)
  const third = await first.context().newPage()
  await third.goto(first.url())
  const offers = await third.locator('.kept').allInnerTexts()
  const [earlier = '', later = ''] = offers.map(offer => offer.replaceAll(/\s+/g, ' '))
  assert.match(earlier, /was not saved: \d+ \w+ \d{4} at \d\d:\d\d “?First\. ?One\.|First/)
  assert.match(later, /Second/)
  await third.getByRole('button', { name: 'Restore' }).nth(1).click()
  await third.locator('.kept').filter({ hasText: 'First' }).waitFor()
  assert.match(await typed(third), /Second\./)
  await third.getByRole('button', { name: 'Restore' }).click()
  await third.locator('.kept').filter({ hasText: 'Second' }).waitFor()
  assert.match(await typed(third), /First\./)
  assert.doesNotMatch(await typed(third), /Second\./)
})

test('a form of values keeps what was typed through a reload, a refusal and the end of a session', LIMIT, async () => {
  const own = await sessionCookie(temporary, 'acme', { subject: 'values', edits: 'all' })
  const { page } = await edit('-/colors', {}, own)
  const context = page.context()
  const cookies = await context.cookies()
  const name = () => page.getByLabel('Name', { exact: true }).last()
  const save = () => page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Add an entry').click()
  await name().fill('Kelp')
  await page.getByLabel('Hex', { exact: true }).last().fill('abcdx')
  await page.reload()
  await page.locator('.kept').filter({ hasText: 'Kelp' }).getByRole('button', { name: 'Restore' }).click()
  await page.waitForFunction('document.querySelector("[data-unsaved]")')
  assert.equal(await name().inputValue(), 'Kelp')
  assert.ok(await name().isVisible())
  assert.equal(await keptIn(page), 1)

  await save()
  await page.getByText('Nothing was saved: correct the marked fields.').waitFor()
  await page.goto(page.url())
  await page.getByRole('button', { name: 'Restore' }).click()
  await page.waitForFunction('document.querySelector("[data-unsaved]")')
  await page.getByLabel('Hex', { exact: true }).last().fill('abcdef')

  await context.clearCookies({ name: /housestyle_session/ })
  await save()
  await page.getByRole('heading', { name: 'Sign in to continue' }).waitFor()
  await context.addCookies(cookies)
  await page.getByRole('button', { name: 'Open the form again' }).click()
  await page.waitForFunction('document.querySelector("[data-unsaved]")')
  assert.equal(await name().inputValue(), 'Kelp')
  await save()
  await page.waitForURL(/saved=/)
  assert.equal(await keptIn(page), 0)
  assert.match(await file('guide/styles/colors.yaml'), /name: Kelp\n {2}hex: "?#?abcdef/)
})

test('after the end of a session, a save says so with a link to sign in, and the text stays', LIMIT, async () => {
  const { page } = await edit('kept')
  const cookies = await page.context().cookies()
  await text(page).getByText('One.').click()
  await page.keyboard.type('Late. ')
  await page.context().clearCookies({ name: /housestyle_session/ })
  await page.keyboard.press('Control+s')
  const problem = page.getByRole('alert').filter({ hasText: 'Your session has ended' })
  assert.equal(await problem.getByRole('link', { name: 'Sign in' }).getAttribute('target'), '_blank')
  assert.match(await typed(page), /Late\./)
  await page.context().addCookies(cookies)
  await page.keyboard.press('Control+s')
  await saved(page).waitFor()
})

test('a save that takes long says so, and a browser that can keep nothing does', LIMIT, async () => {
  const { page } = await edit('bare')
  const gate = Promise.withResolvers<void>()
  await page.route('**/-/edit/bare', async (route, request) => {
    if (request.method() === 'POST' && request.postData()?.includes('do=save')) await gate.promise
    await route.continue()
  })
  await page.evaluate('Storage.prototype.setItem = () => { throw new Error("full") }; 0')
  await text(page).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('Slow.')
  await page.getByRole('alert').filter({ hasText: 'cannot keep your text' }).waitFor()
  await page.keyboard.press('Control+s')
  await page.getByRole('status').filter({ hasText: 'Saving…' }).waitFor()
  await page.keyboard.type(' More.')
  gate.resolve()
  await saved(page).waitFor()
  assert.match(await typed(page), /Slow\. More\./)
})

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 390, height: 700 },
])
  test(`the cursor is never behind a bar in a text of 3,000 words, ${viewport.width} pixels wide`, LIMIT, async () => {
    const { page } = await edit('long', { viewport, hasTouch: viewport.width < 400, isMobile: viewport.width < 400 })
    await text(page).click()
    for (const keys of [
      ['Control+End', 'x'],
      ['Enter', 'y'],
      ...Array.from({ length: 12 }, () => ['PageUp']),
      ...Array.from({ length: 30 }, () => ['ArrowUp']),
      ...Array.from({ length: 30 }, () => ['ArrowDown']),
      ['Control+Home', 'z'],
    ]) {
      for (const key of keys) await page.keyboard.press(key)
      await until(async () => (await page.evaluate(IS_FREE)) === true)
    }
  })

test('a dropped or chosen picture gets its description and is shown at the cursor', LIMIT, async () => {
  const { page } = await edit('pictures')
  await text(page).getByText('One.').click()
  await page.keyboard.press('Control+End')
  const dialog = page.getByRole('dialog', { name: 'Add picture' })
  const describe = async (words: string) => {
    await dialog.getByLabel('Description').fill(words)
    await dialog.getByRole('button', { name: 'Add picture' }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  await page.evaluate(`(${DROP})([${PNG.join()}])`)
  await dialog.waitFor()
  await addAxe(page)
  assert.deepEqual(await axeProblems(page), [])
  await describe('A dot')
  await text(page).getByRole('img', { name: 'A dot' }).waitFor()
  await page.getByRole('button', { name: 'Add picture' }).click()
  await dialog.getByLabel('Picture').setInputFiles({ name: 'logo two.svg', mimeType: 'image/svg+xml', buffer: LOGO })
  await describe('The logo')
  await until(async () => (await typed(page)).includes('The logo'))
  assert.match(
    await typed(page),
    /^# Pictures\n\nOne\.\n\n!\[A dot\]\(\.\.\/files\/pictures\/[\w-]+\.png\)\n\n!\[The logo\]\(\.\.\/files\/pictures\/logo-two\.svg\)\n*$/,
  )
})

test('a paste of a text with a picture of it inserts the text; a picture alone opens the dialog', LIMIT, async () => {
  const { page } = await edit('pictures', { permissions: ['clipboard-read', 'clipboard-write'] })
  const paste = async (...types: readonly string[]) => {
    await page.evaluate(`(${COPY})(${JSON.stringify(types)})`)
    await page.keyboard.press('Control+v')
  }
  await text(page).getByText('One.').click()
  await page.keyboard.press('End')
  await paste('text/plain', 'text/html', 'image/png')
  await until(async () => (await typed(page)).includes('One.Kelp\t70/20/60/30\nFoam'))
  const dialog = page.getByRole('dialog', { name: 'Add picture' })
  assert.equal(await dialog.count(), 0)
  await paste('text/html', 'image/png')
  await dialog.waitFor()
})

test('a new page keeps its pictures in the browser until it is saved, in one commit', LIMIT, async () => {
  const before = await repository.git(['rev-parse', 'main'])
  const { page } = await edit('-/new')
  await page.getByLabel('Title').fill('Quay side')
  await page.getByRole('button', { name: 'Make the page' }).click()
  await text(page).click()
  await page.keyboard.press('Control+End')
  const dialog = page.getByRole('dialog', { name: 'Add picture' })
  for (const words of ['A dot', 'Another']) {
    await page.evaluate(`(${DROP})([${PNG.join()}])`)
    await dialog.getByLabel('Description').fill(words)
    await dialog.getByRole('button', { name: 'Add picture' }).click()
    await text(page).getByRole('img', { name: words }).waitFor()
  }
  assert.equal(await repository.git(['rev-parse', 'main']), before)
  await page.getByRole('button', { name: 'Save' }).click()
  await saved(page).first().waitFor()
  assert.match(
    await file('guide/pages/quay-side.md'),
    /^---\ntitle: Quay side\n---\n\n# Quay side\n\n!\[A dot\]\(\.\.\/files\/pictures\/dot-2\.png\)\n\n!\[Another\]\(\.\.\/files\/pictures\/dot-3\.png\)$/,
  )
  assert.equal(
    await repository.git(['diff', '--name-only', 'main~', 'main']),
    'guide/files/pictures/dot-2.png\nguide/files/pictures/dot-3.png\nguide/pages/quay-side.md',
  )
  await page.evaluate(`(${DROP})([${PNG.join()}])`)
  await dialog.getByLabel('Description').fill('Third')
  await dialog.getByRole('button', { name: 'Add picture' }).click()
  await text(page).getByRole('img', { name: 'Third' }).waitFor()
  // The saved picture with the same bytes.
  assert.match(await typed(page), /!\[Third\]\(\.\.\/files\/pictures\/dot\.png\)/)
})

test('a picture that the service refuses keeps the text, and the dialog says why', LIMIT, async () => {
  const { page } = await edit('pictures')
  await text(page).getByText('One.').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' Mine.')
  await page.getByRole('button', { name: 'Add picture' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add picture' })
  await dialog.getByLabel('Description').fill('A note')
  await dialog.getByLabel('Picture').setInputFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: LOGO })
  await dialog.getByRole('button', { name: 'Add picture' }).click()
  await dialog.getByRole('alert').filter({ hasText: 'Nothing was saved' }).waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  assert.equal(await typed(page), '# Pictures\n\nOne. Mine.')
})

test('input methods, right-to-left lines and the browser’s spelling work in the text', LIMIT, async () => {
  const { page } = await edit('input')
  await text(page).getByText('One.').click()
  await page.keyboard.press('End')
  const client = await page.context().newCDPSession(page)
  for (const letters of ['に', 'にほ', '日本'])
    await client.send('Input.imeSetComposition', {
      text: letters,
      selectionStart: letters.length,
      selectionEnd: letters.length,
    })
  await client.send('Input.insertText', { text: '日本' })
  assert.equal(await typed(page), '# Input\n\nOne.日本\n\nשלום')
  const content = 'document.querySelector(".cm-content")'
  assert.equal(await page.evaluate(`getComputedStyle(${content}.lastElementChild).direction`), 'rtl')
  assert.deepEqual(await page.evaluate(`[${content}.spellcheck, ${content}.lang]`), [true, 'en'])
})

test('nothing of a text above 256 kB is rendered in place, and it is typed and saved as others', LIMIT, async () => {
  const { page } = await edit('large')
  assert.equal(await text(page).locator('h1, strong').count(), 0)
  await text(page).getByText('# Large').click()
  await page.keyboard.press('End')
  await page.keyboard.type('r')
  assert.match(await typed(page), /^# Larger\n/)
})

test('on a desktop, the preview beside the text follows it, with pictures and no script', LIMIT, async () => {
  const { page } = await edit('voice', { viewport: { width: 1440, height: 900 } })
  const frame = page.locator('aside.preview iframe').last().contentFrame()
  await text(page).getByText('The end.').click()
  await page.keyboard.type('Really. ')
  await frame.getByText('Really.').waitFor()
  const picture = frame.getByRole('img', { name: 'The logo' })
  assert.ok(await picture.evaluate(image => 'naturalWidth' in image && image.naturalWidth))
  await page.getByRole('button', { name: 'Preview' }).click()
  assert.equal(await page.locator('iframe').count(), 0)
})

test('a form of values leads to the first field with a problem', LIMIT, async () => {
  const { page } = await edit('-/colors')
  await page.getByText('Add an entry').click()
  await page.getByLabel('Name', { exact: true }).last().fill('Ink')
  await page.getByLabel('Hex', { exact: true }).last().fill('abcdx')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForFunction('document.activeElement.getAttribute("aria-invalid") === "true"')
})

test('on a phone, nothing is wider than the window, and buttons are large enough for a finger', LIMIT, async () => {
  const { page } = await edit('voice', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  await text(page).getByText('The end.').tap()
  assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'))
  const sizes = await page
    .locator('.edit :is(.toolbar, .actions) button')
    .evaluateAll(buttons => buttons.map(button => button.getBoundingClientRect().height))
  assert.equal(sizes.length, 10)
  assert.ok(sizes.every(height => height >= 44))
  assert.ok(await page.getByRole('button', { name: 'Bold' }).isVisible())
  assert.equal(
    await page.evaluate('parseFloat(getComputedStyle(document.querySelector(".cm-content")).fontSize) >= 16'),
    true,
  )
})

test('the script has at most 130 kB compressed; only pages of the editor load it or are looser', LIMIT, async () => {
  const headers = { cookie }
  const page = await fetch(`${url}/acme/guide/-/edit/voice`, { headers })
  assert.match(page.headers.get('content-security-policy') ?? '', /style-src 'self' 'nonce-[^']+'; frame-src 'self';/)
  const [path] = /\/assets\/[^"]+\/edit\.js/.exec(await page.text()) ?? []
  const script = await (await fetch(`${url}${path}`)).bytes()
  assert.ok(brotliCompressSync(script).length < 130_000)
  const manage = await fetch(`${url}/acme/guide/-/manage`, { headers })
  assert.doesNotMatch(manage.headers.get('content-security-policy') ?? '', /nonce|frame-src/)
  assert.doesNotMatch(await manage.text(), /edit\.js/)
})

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)
/** Puts cells into the clipboard as spreadsheets do, in some of their types. */
const COPY = `async types => {
  const canvas = new OffscreenCanvas(12, 4)
  canvas.getContext('2d').fillRect(0, 0, 12, 4)
  const cells = {
    'text/plain': new Blob(['Kelp\\t70/20/60/30\\nFoam'], { type: 'text/plain' }),
    'text/html': new Blob(['<table><tr><td>Kelp<td>70/20/60/30<tr><td>Foam</table>'], { type: 'text/html' }),
    'image/png': await canvas.convertToBlob(),
  }
  await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(types.map(type => [type, cells[type]])))])
}`
/** Whether the line of the cursor is between the bars above and below it. */
const IS_FREE = `(() => {
  const { focusNode } = getSelection()
  const line = (focusNode.nodeType === 1 ? focusNode : focusNode.parentElement).closest('.cm-line') ?? focusNode
  const range = getSelection().getRangeAt(0).getBoundingClientRect()
  const { top, bottom } = range.height > 0 ? range : line.getBoundingClientRect()
  const bars = [...document.querySelectorAll('body > .top, :not(.actions) > .toolbar')]
  const above = Math.max(...bars.map(bar => bar.getBoundingClientRect().bottom))
  return top >= above && bottom <= document.querySelector('.edit .actions').getBoundingClientRect().top
})()`
/** Drops a file on the last line of the text. */
const DROP = `bytes => {
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File([new Uint8Array(bytes)], 'dot.png', { type: 'image/png' }))
  const line = [...document.querySelectorAll('.cm-line')].at(-1)
  const { right: clientX, bottom } = line.getBoundingClientRect()
  const options = { dataTransfer, clientX: clientX - 5, clientY: bottom - 3, bubbles: true, cancelable: true }
  line.dispatchEvent(new DragEvent('drop', options))
}`

async function edit(address: string, options: BrowserContextOptions = {}, session = cookie): Promise<WatchedPage> {
  const watched = await openPage(options)
  const [name = '', value = ''] = session.split(/=(.*)/s)
  await watched.page.context().addCookies([{ name, value, url }])
  await watched.page.goto(`${url}/acme/guide/-/edit/${address}`)
  return watched
}

function text(page: Page) {
  return page.getByRole('textbox', { name: 'Text', exact: true })
}

/** What says that a change was saved. */
function saved(page: Page) {
  return page.getByRole('status').filter({ hasText: /Saved|Live|Waits/ })
}

/** The text that the form would send. */
function typed(page: Page): Promise<string> {
  return page.evaluate('String(new FormData(document.querySelector("form[data-edit]")).get("/body"))')
}

/** How many forms a browser keeps. */
function keptIn(page: Page): Promise<number> {
  return page.evaluate('Object.keys(localStorage).filter(key => key.startsWith("housestyle:edit:")).length')
}

function file(path: string): Promise<string> {
  return repository.git(['show', `main:${path}`])
}

/** What a browser says except about the frame of the preview, whose scripts must not run. */
function real(complaints: readonly string[]): string[] {
  return complaints.filter(complaint => !complaint.includes('Blocked script execution'))
}
