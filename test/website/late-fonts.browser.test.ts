import { existsSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { openPage } from '../support/browser.ts'
import { watchShifts } from '../support/layout-shifts.ts'
import { needs } from '../support/programs.ts'
import { runningService } from '../support/running.ts'
import { temporaryStore } from '../support/temporary-store.ts'

const ROOT = join(import.meta.dirname, '../..')
const CORPUS = join(ROOT, '../shared/corpus/18f')
const LATE_MS = 500
const LATE: ReadonlySet<string> = new Set(['font', 'image', 'media'])
const PAGES = [
  ...['', '/logo', '/color', '/film', '/-/colors', '/-/type', '/-/files', '/-/search?q=logo', '/gone'].map(
    below => `/acme/guidelines${below}`,
  ),
  ...(existsSync(CORPUS) ? ['', '/logo', '/-/type'].map(below => `/18f/brand${below}`) : []),
]

const temporary = await temporaryStore()
for (const folder of [join(ROOT, 'examples/acme'), ...(existsSync(CORPUS) ? [CORPUS] : [])])
  await temporary.show(folder)
const { url } = await runningService(temporary)

for (const width of [360, 1024])
  test(
    `fonts, pictures and films that arrive half a second late move nothing on a window of ${width} pixels`,
    needs('chromium'),
    async () => {
      const { page } = await openPage({ viewport: { width, height: 800 } })
      await page.route('**/*', async route => {
        if (LATE.has(route.request().resourceType())) await wait(LATE_MS)
        await route.continue()
      })
      const shifts = await watchShifts(page)
      for (const path of PAGES) {
        await page.goto(url + path, { waitUntil: 'load' })
        await page.evaluate('document.fonts.ready.then(() => new Promise(done => setTimeout(done, 300)))')
        await shifts.assertSmall(path, 0.01)
      }
    },
  )
