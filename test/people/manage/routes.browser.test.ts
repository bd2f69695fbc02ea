import assert from 'node:assert/strict'
import test from 'node:test'
import type { Page } from 'playwright-core'
import { addAxe, axeProblems, COLOR_RULES } from '../../support/axe.ts'
import { openPage } from '../../support/browser.ts'
import { freePort } from '../../support/free-port.ts'
import { signInOnPage, startPeopleIssuer } from '../../support/people-issuer.ts'
import { allowIssuer, SECRET } from '../../support/people-service.ts'
import { needs } from '../../support/programs.ts'
import { runningService } from '../../support/running.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const ADA = { sub: 'ada', password: 'sesame', name: 'Ada Byron', email: 'ada@example.com', emailVerified: true }
const issuer = await startPeopleIssuer({
  people: [{ ...ADA, groups: ['editors'] }],
  client: { id: 'guides', secret: SECRET },
})
const temporary = await temporaryStore()
const picture = (color: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><path fill="${color}" d="M0 0h9v9z"/></svg>\n`
for (const [workspace, lang] of [
  ['acme', 'en'],
  ['latin', 'en'],
  ['arabic', 'ar'],
] as const) {
  const files = {
    'guide/project.yaml': `name: Guide\nlang: ${lang}\n`,
    'guide/styles/colors.yaml': '- { name: Signal, hex: "#c2410c" }\n',
    'guide/files/mark.svg': picture('red'),
    'guide/files/files.yaml': 'mark.svg: { until: 2026-01-01 }\n',
  }
  await temporary.publishing(`${workspace}/guide`, { ...files, 'guide/pages/index.md': '# Hello\n' })
  await temporary.publishing(`${workspace}/guide`, { 'guide/pages/index.md': '# Welcome\n' })
  await temporary.importing(workspace, {
    'guide/pages/index.md': '# Welcome back\n\n[Nowhere](gone.md)\n',
    'guide/files/mark.svg': picture('green'),
  })
  const rules = { domains: [], groups: [{ group: 'editors', manage: true as const }] }
  await allowIssuer(temporary, issuer.url, { workspace, rules })
}
const { url } = await runningService(temporary, { port: String(await freePort()) })
await issuer.setRedirects([`${url}/-/signed-in`], [`${url}/-/signout`])

/** Opens an address in a new browser, and signs in on the way. */
async function signedInAt(path: string, options: Parameters<typeof openPage>[0] = {}): Promise<Page> {
  const [workspace] = path.split('/').filter(Boolean)
  const { page } = await openPage(options)
  await page.goto(`${url}/-/signin?${new URLSearchParams({ workspace: `${workspace}`, return: path })}`)
  await signInOnPage(page, ADA)
  return page
}

for (const workspace of ['latin', 'arabic'])
  test(
    `pages of people with rights, and results of what they do, have no fault that axe knows, and fit at all widths, in both schemes: ${workspace}`,
    needs('chromium'),
    async () => {
      const home = `/${workspace}/guide`
      const page = await signedInAt(home, { reducedMotion: 'reduce' })
      await addAxe(page)
      await page.goto(url + home)
      await page.goto(`${url}${home}/-/files/mark.svg`)
      const open = (path: string) => page.goto(url + path)
      const press = (action: string) => page.locator(`button[name="do"][value="${action}"]`).first().click()
      for (const path of [
        '/',
        `/${workspace}`,
        `/${workspace}/-/manage`,
        `/${workspace}/-/sessions?done=end`,
        `${home}/-/manage/history`,
        `${home}/-/manage/usage`,
        `${home}/-/manage/revision/1`,
        `${home}/-/manage/revision/2/-/changes`,
      ]) {
        await open(path)
        await examine(page, path)
      }
      await open(`${home}/-/manage/links`)
      await page.locator('input[name="of"]').last().check()
      await press('share')
      await examineResult(page, 'a new link')
      await open(`${home}/-/manage`)
      await page.locator('details:has(input[name="at"]) summary').click()
      await page.locator('input[name="at"]').fill('2100-01-02T03:04')
      await press('plan')
      await examineResult(page, 'a planned publication')
      await open(`${home}/-/draft/-/changes`)
      await page.locator('textarea[name="comment"]').fill('A larger mark')
      await press('ask')
      await examineResult(page, 'an answer')
      await open(`${home}/-/manage`)
      await press('publish')
      await examineResult(page, 'an open request')
      await page.context().clearCookies()
      await press('publish')
      await examineResult(page, 'a form after the end of the session')
      await page.context().close()
    },
  )

/** Examines the page after a form, whose result has the focus. */
async function examineResult(page: Page, what: string): Promise<void> {
  await page.locator('[role="status"]:focus, [role="alert"]:focus').waitFor()
  await examine(page, what)
}

async function examine(page: Page, what: string): Promise<void> {
  assert.equal(await page.locator('h1').count(), 1, what)
  for (const width of [360, 768, 1280, 1920]) {
    await page.setViewportSize({ width, height: 800 })
    assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= width, `${what} at ${width}`)
    // The layouts of a phone and of a desk; those between differ only in size.
    if (width === 360 || width === 1280) assert.deepEqual(await axeProblems(page), [], `${what} at ${width}`)
  }
  await page.emulateMedia({ colorScheme: 'dark' })
  assert.deepEqual(await axeProblems(page, COLOR_RULES), [], `${what} in dark colours`)
  await page.emulateMedia({ colorScheme: 'light' })
}

for (const javaScriptEnabled of [true, false])
  test(
    `a person of a group that manages makes and ends a link, gets an approval, and publishes with a note, ${javaScriptEnabled ? 'pressing buttons by keyboard' : 'without script'}`,
    needs('chromium'),
    async () => {
      const page = await signedInAt('/acme/guide', { javaScriptEnabled })
      const press = async (name: string) => {
        const found = page.getByRole('button', { name, exact: true })
        if (!javaScriptEnabled) return found.click()
        await found.focus()
        await page.keyboard.press('Enter')
      }
      const makeLink = async (name: string, kind: string) => {
        await page.getByLabel(kind, { exact: true }).check()
        await page.getByLabel('Name, such as the agency').fill(name)
        await press('Make link')
        return page.getByLabel('Address of the link').inputValue()
      }
      await page.getByRole('banner').getByRole('link', { name: 'Manage' }).click()
      await page.getByRole('navigation').getByRole('link', { name: 'Share links' }).click()

      const agency = await makeLink('Agency', 'The published guide')
      const { page: reader } = await openPage({ javaScriptEnabled })
      await reader.goto(agency)
      await reader.getByRole('heading', { name: /^Welcome/ }).waitFor()
      await press('End Agency')
      await page.getByRole('button', { name: 'End Agency' }).waitFor({ state: 'detached' })
      await reader.goto(agency)
      assert.equal(await reader.getByRole('heading', { name: /^Welcome/ }).count(), 0)

      await page.getByLabel('The draft', { exact: true }).check()
      await page.getByLabel('People with this link may approve the draft').check()
      await reader.goto(await makeLink('Studio', 'The draft'))
      await reader.getByRole('link', { name: 'Changes since publication' }).click()
      await reader.getByLabel('Comment').fill(`Good ${javaScriptEnabled}`)
      await reader.getByRole('button', { name: 'Approve' }).click()
      await page.goto(`${url}/acme/guide/-/manage`)
      await page.getByText(`Good ${javaScriptEnabled}`).waitFor()
      assert.ok(await page.getByText('Studio').first().isVisible())

      await page.getByLabel('Note').fill('A warmer welcome')
      await press('Publish')
      await page.getByText(/^Revision \d is published\.$/).waitFor()
      assert.ok(await page.getByText('A warmer welcome').first().isVisible())
      assert.ok(await page.getByText('Ada Byron').first().isVisible())
      // Another draft for the second run.
      await temporary.importing('acme', { 'guide/pages/index.md': '# Welcome\n\nAgain.\n' })
    },
  )

test(
  'without script, a person finds their sessions next to *Sign out*, ends another one, and then the present one',
  needs('chromium'),
  async () => {
    const [elsewhere, here] = [
      await signedInAt('/acme/guide', { javaScriptEnabled: false }),
      await signedInAt('/acme/guide', { javaScriptEnabled: false }),
    ]
    await here.getByRole('banner').getByRole('link', { name: 'Ada Byron' }).click()
    await here.getByRole('heading', { name: 'Your sessions', level: 1 }).waitFor()
    await here.getByRole('button', { name: 'End all other sessions' }).click()
    await here.getByRole('status').filter({ hasText: 'All other sessions have ended.' }).waitFor()
    assert.deepEqual(await here.getByRole('button').allTextContents(), ['Sign out'])
    await elsewhere.goto(`${url}/acme/-/sessions`)
    await elsewhere.getByRole('link', { name: 'Sign in' }).click()
    await elsewhere.getByRole('heading', { name: 'Your sessions', level: 1 }).waitFor()
    await elsewhere.getByRole('button', { name: /^End Another session/ }).click()
    await elsewhere.getByRole('status').filter({ hasText: 'The session has ended.' }).waitFor()
    await elsewhere.getByRole('button', { name: 'Sign out' }).click()
    // The issuer ends its own session, and needs a script to return by itself.
    await elsewhere.waitForURL(address => address.origin === new URL(issuer.url).origin)
    await elsewhere.goto(`${url}/acme/-/sessions`)
    await elsewhere.getByRole('link', { name: 'Sign in' }).waitFor()
  },
)

test(
  'values of workspace.yaml on the page of changes are below each other, and have room at all widths',
  needs('chromium'),
  async () => {
    await temporary.importing('acme', { 'workspace.yaml': 'id: acme\nname: Acme International\n' })
    const page = await signedInAt('/acme/guide/-/draft/-/changes')
    for (const width of [360, 1440]) {
      await page.setViewportSize({ width, height: 800 })
      const boxes = await page
        .locator('.review .facts dd')
        .evaluateAll(values => values.map(value => value.getBoundingClientRect()).map(({ x, width }) => ({ x, width })))
      assert.equal(boxes.length, 2)
      assert.equal(new Set(boxes.map(({ x }) => x)).size, 1, `${width}`)
      assert.ok(
        boxes.every(box => box.width > 200),
        `${width}`,
      )
    }
    await page.context().close()
  },
)
