import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { openPage } from '../support/browser.ts'
import { watchShifts } from '../support/layout-shifts.ts'
import { needs } from '../support/programs.ts'
import { runningService, searchable } from '../support/running.ts'
import { temporaryStore } from '../support/temporary-store.ts'

const ROOT = join(import.meta.dirname, '../..')
const CORPUS = join(ROOT, '../shared/corpus/18f')
/** Arabic fonts of the system, for a guide in Arabic. */
const [KUFI, NASKH] = ['Kufi', 'Naskh'].map(name => `/usr/share/fonts/truetype/noto/Noto${name}Arabic-Regular.ttf`)
const hasArabic = [KUFI, NASKH].every(path => path !== undefined && existsSync(path))
const LATE_MS = 500
const LATE: ReadonlySet<string> = new Set(['font', 'image', 'media'])
const PAGES = [
  ...['', '/logo', '/color', '/film', '/-/colors', '/-/type', '/-/files', '/-/search?q=logo', '/gone'].map(
    below => `/acme/guidelines${below}`,
  ),
  ...(hasArabic ? ['/lafz/guide'] : []),
  ...(existsSync(CORPUS) ? ['', '/logo', '/-/type'].map(below => `/18f/brand${below}`) : []),
]

const temporary = await temporaryStore()
for (const folder of [join(ROOT, 'examples/acme'), ...(existsSync(CORPUS) ? [CORPUS] : [])])
  await temporary.show(folder)
if (hasArabic && KUFI && NASKH)
  await temporary.publishing('lafz/guide', {
    'guide/project.yaml': 'lang: ar\nvisibility: public\ntheme: { heading: unwan, body: matn }\n',
    'guide/styles/types.yaml':
      '- { name: عنوان, id: unwan, family: Noto Kufi Arabic, size: 40 }\n- { name: متن, id: matn, family: Noto Naskh Arabic, size: 18 }\n',
    'guide/files/kufi.ttf': readFileSync(KUFI),
    'guide/files/naskh.ttf': readFileSync(NASKH),
    'guide/pages/index.md': `# لفظ\n\nنطبع الكتاب كما نحب أن نقرأه.\n\n${'نطبع الكتاب كما نحب أن نقرأه: سطر مريح، وهامش واسع، وحرف لا يستعجل القارئ.\n\n'.repeat(6)}`,
  })
const { url } = await runningService(temporary)
await searchable(`${url}/acme/guidelines`)

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
      const visit = async (path: string) => {
        await page.goto(url + path, { waitUntil: 'load' })
        await page.evaluate('document.fonts.ready.then(() => new Promise(done => setTimeout(done, 300)))')
        await shifts.assertSmall(path, 0.01)
      }
      // A busy browser sometimes paints an incomplete page; a fault of a page moves it at each visit.
      for (const path of PAGES) await visit(path).catch(() => visit(path).catch(() => visit(path)))
    },
  )
