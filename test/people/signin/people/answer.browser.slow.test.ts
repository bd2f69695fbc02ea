import assert from 'node:assert/strict'
import test from 'node:test'
import { CHROMIUM, openPage } from '../../../support/browser.ts'
import { freePort } from '../../../support/free-port.ts'
import { signInOnPage, startPeopleIssuer } from '../../../support/people-issuer.ts'
import { allowIssuer, SECRET } from '../../../support/people-service.ts'
import { runningService } from '../../../support/service.ts'
import { temporaryStore } from '../../../support/temporary-store.ts'

const ANNA = { sub: 'anna', password: 'sesame', name: 'Anna Lee', email: 'anna@example.com', emailVerified: true }
const issuer = await startPeopleIssuer({ people: [ANNA], client: { id: 'guides', secret: SECRET } })
const temporary = await temporaryStore()
const index = { 'guide/pages/index.md': '# Welcome\n', 'guide/pages/logo.md': '# Logo\n' }
await temporary.importing('acme', { ...index, 'web/pages/index.md': '# Web\n' })
await temporary.importing('arabic', { ...index, 'guide/project.yaml': 'lang: ar\n' })
for (const place of ['acme/guide', 'acme/web', 'arabic/guide']) await temporary.publish(place)
for (const workspace of ['acme', 'arabic']) await allowIssuer(temporary, issuer.url, { workspace })
const { url } = await runningService(temporary, { port: String(await freePort()) })
await issuer.setRedirects([`${url}/-/signed-in`], [`${url}/-/signout`])

test('a person signs in from a private address, reads, and signs out', CHROMIUM, async () => {
  const { page, complaints } = await openPage()
  await page.goto(`${url}/acme/guide/logo`)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await signInOnPage(page, ANNA)
  await page.getByRole('heading', { name: 'Logo' }).waitFor()
  assert.equal(page.url(), `${url}/acme/guide/logo`)
  const header = page.getByRole('banner')
  assert.ok(await header.getByText('Anna Lee').isVisible())
  // The issuer is another port of this host, so its cookies are listed too.
  const cookies = (await page.context().cookies(url)).filter(({ name }) => name.startsWith('housestyle'))
  const seen = cookies.map(({ name, httpOnly, sameSite, path }) => ({ name, httpOnly, sameSite, path }))
  assert.deepEqual(seen, [{ name: 'housestyle_session_acme', httpOnly: true, sameSite: 'Lax', path: '/' }])

  await page.goto(`${url}/acme`)
  assert.deepEqual(await page.locator('main li').allTextContents(), ['guide', 'web'])

  await page.goto(`${url}/acme/guide/logo`)
  await header.getByRole('link', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
  assert.equal(new URL(page.url()).pathname, '/-/signout')
  await page.goto(`${url}/acme/guide`)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('Password').waitFor()
  const unexpected = complaints.filter(complaint => !complaint.includes('404'))
  assert.deepEqual(unexpected, [])
})

test('the name and the link to sign out fit into the header at all widths', CHROMIUM, async () => {
  for (const [workspace, words] of [
    ['acme', 'Sign out'],
    ['arabic', 'تسجيل الخروج'],
  ] as const)
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await openPage({ colorScheme })
      await page.goto(`${url}/-/signin?workspace=${workspace}&return=/${workspace}/guide/logo`)
      await signInOnPage(page, ANNA)
      const link = page.getByRole('banner').getByRole('link', { name: words })
      for (const width of [320, 375, 640, 960, 1440]) {
        await page.setViewportSize({ width, height: 700 })
        const box = await link.boundingBox()
        assert.ok(box && box.x >= 0 && box.x + box.width <= width && box.height >= 16, `${workspace} ${width}`)
        const scroll = await page.evaluate<number>('document.documentElement.scrollWidth')
        assert.ok(scroll <= width, `${workspace} is ${scroll} pixels wide at ${width}`)
      }
      await page.context().close()
    }
})
