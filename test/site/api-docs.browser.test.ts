import assert from 'node:assert/strict'
import test from 'node:test'
import { chromium } from 'playwright-core'
import { needs, pathOf } from '../programs.ts'
import { runningService } from '../support/running.ts'
import { temporaryStore } from '../support/temporary-store.ts'

const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking']

test(
  'the documentation asks only this service for anything, and breaks none of its own rules',
  needs('chromium'),
  async t => {
    const { url } = await runningService(await temporaryStore())
    const browser = await chromium.launch({ executablePath: pathOf('chromium') ?? '', args: ARGUMENTS })
    t.after(() => browser.close())
    const page = await browser.newPage({ viewport: { width: 360, height: 800 } })
    const asked: string[] = []
    const complaints: string[] = []
    page.on('request', request => asked.push(request.url()))
    page.on('console', message => complaints.push(message.text()))
    page.on('pageerror', error => complaints.push(error.message))
    await page.goto(`${url}/docs#not_found`)

    assert.deepEqual(complaints, [])
    assert.deepEqual(
      asked.filter(address => !address.startsWith(`${url}/`)),
      [],
    )
    assert.equal(await page.locator('#not_found').isVisible(), true)
    assert.equal(await page.locator('html').evaluate('document.documentElement.scrollWidth'), 360)
  },
)
