import assert from 'node:assert/strict'
import test from 'node:test'
import { unwrap } from '#program/cli/failure.ts'
import { review } from '#publishing/review.ts'
import { CHROMIUM, openPage } from '../../support/browser.ts'
import { managedGuides } from '../../support/managed-guides.ts'
import { seenDraft } from '../../support/temporary-store.ts'

const { url, temporary, issuer, signedInAt } = await managedGuides({ acme: 'en' })

for (const javaScriptEnabled of [true, false])
  test(
    `a person of a group that manages makes and ends a link, gets an approval, and publishes with a note, ${javaScriptEnabled ? 'pressing buttons by keyboard' : 'without script'}`,
    CHROMIUM,
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
      await page.getByRole('button', { name: 'End Agency', exact: true }).click()
      await page.getByRole('alert').filter({ hasText: 'Nobody will be able' }).waitFor()
      await page.getByRole('button', { name: 'End Agency', exact: true }).first().click()
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

test('Back returns to each question that is asked once, and shows its page after the answer', CHROMIUM, async () => {
  await temporary.importing('acme', { 'guide/pages/index.md': '# Welcome to all\n' })
  const seen = await seenDraft(temporary.store)
  const given = { ...seen, answer: 'ask', reviewer: 'ben', who: 'Ben', isSignedIn: true } as const
  unwrap(await review(temporary.store, { workspace: 'acme', project: 'guide' }, given, new Date()))
  const page = await signedInAt('/acme/guide/-/manage')
  for (const [below, action, answer] of [
    ['', 'publish', 'Publish all the same'],
    ['/history', 'restore', /^Restore revision/],
    ['/links', 'end-share', /^End/],
  ] as const) {
    await page.goto(`${url}/acme/guide/-/manage${below}`)
    if (action === 'end-share') await page.getByRole('button', { name: 'Make link' }).click()
    await page.locator(`button[value="${action}"]`).first().click()
    await page.getByRole('alert').waitFor()
    await page.goto(`${url}/acme/-/sessions`)
    await page.goBack()
    await page.getByRole('alert').waitFor()
    if (action !== 'publish') {
      await page.getByRole('link', { name: 'Cancel' }).click()
      await page.getByRole('alert').waitFor({ state: 'detached' })
      await page.goBack()
    }
    await page.getByRole('button', { name: answer }).first().click()
    await page.getByRole('status').waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 1 }).waitFor()
    assert.equal(await page.getByRole('alert').count(), 0, action)
  }
})

for (const path of ['/acme/guide/-/manage/history', '/acme/-/manage'])
  test(`entries with and without a button have the same columns: ${path}`, CHROMIUM, async () => {
    const page = await signedInAt(path)
    const second = page.locator('.entries > li > div > :nth-child(2)')
    const starts = await second.evaluateAll(all => all.map(each => Math.round(each.getBoundingClientRect().left)))
    assert.ok(starts.length > 1)
    assert.equal(new Set(starts).size, 1)
  })

test('times are in the zone of the reader, also that of a plan', CHROMIUM, async () => {
  await temporary.importing('acme', { 'guide/pages/index.md': '# Another welcome\n' })
  const page = await signedInAt('/acme/guide/-/manage', { timezoneId: 'Asia/Tokyo' })
  await page.getByText('Publish later').click()
  await page.getByLabel(/^Date and time \(now .* Japan/).fill('2099-01-05T09:30')
  await page.getByRole('button', { name: 'Publish at this time' }).click()
  const time = page.locator('time[datetime="2099-01-05T00:30:00.000Z"]')
  assert.equal(await time.textContent(), '5 January 2099 at 09:30')
  assert.equal(await time.getAttribute('title'), '5 January 2099 at 00:30 UTC')
  await page.getByRole('button', { name: 'Cancel the publication' }).click()
})

test('a button stays where it is while it is pressed out of the comment of an answer', CHROMIUM, async () => {
  const page = await signedInAt('/acme/guide/-/draft/-/changes', { viewport: { width: 1280, height: 2400 } })
  await page.getByLabel('Comment').fill('More air around the logo.')
  const approve = page.getByRole('button', { name: 'Approve' })
  const before = await approve.boundingBox()
  await approve.hover()
  await page.mouse.down()
  assert.deepEqual(await approve.boundingBox(), before)
})

test('without script, a person ends another session, and then the present one', CHROMIUM, async () => {
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
  await elsewhere.getByRole('button', { name: /^End Chrome, Linux/ }).click()
  await elsewhere.getByRole('status').filter({ hasText: 'The session has ended.' }).waitFor()
  await elsewhere.getByRole('button', { name: 'Sign out' }).click()
  // The issuer ends its own session, and needs a script to return by itself.
  await elsewhere.waitForURL(address => address.origin === new URL(issuer.url).origin)
  await elsewhere.goto(`${url}/acme/-/sessions`)
  await elsewhere.getByRole('link', { name: 'Sign in' }).waitFor()
})

test('values of workspace.yaml among changes have room at all widths', CHROMIUM, async () => {
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
})
