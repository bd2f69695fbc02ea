import assert from 'node:assert/strict'
import test from 'node:test'
import { openPage } from '../support/browser.ts'
import { needs } from '../support/programs.ts'
import { runningService } from '../support/running.ts'
import { temporaryStore } from '../support/temporary-store.ts'

test(
  'the documentation loads resources only from this service, and meets the accessibility rules',
  needs('chromium'),
  async () => {
    const { url } = await runningService(await temporaryStore())
    const { page, complaints, requests } = await openPage({ viewport: { width: 360, height: 800 } })
    await page.goto(`${url}/docs#not_found`)

    assert.deepEqual(complaints, [])
    assert.deepEqual(
      requests.filter(address => !address.startsWith(`${url}/`)),
      [],
    )
    assert.equal(await page.locator('#not_found').isVisible(), true)
    assert.equal(await page.locator('html').evaluate('document.documentElement.scrollWidth'), 360)
  },
)
