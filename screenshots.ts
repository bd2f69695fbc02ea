import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { serve } from './test/support/command.ts'
import { pathOf } from './test/support/programs.ts'

/*
 * npm run screenshots: takes the pictures of README from the example brand, as they look in Debian's Chromium, and
 * says how large they are. Each is kept below 200 KB.
 */
const PICTURES = [
  { name: 'home', path: '', scheme: 'light' },
  { name: 'colors', path: '/-/colors', scheme: 'light' },
  { name: 'type', path: '/-/type', scheme: 'light' },
  { name: 'files', path: '/-/files/pictures', scheme: 'dark' },
] as const

const LARGEST = 200_000
const root = import.meta.dirname
const data = mkdtempSync(join(tmpdir(), 'housestyle-'))
const service = await serve(join(root, 'bin/housestyle.js'), join(root, 'examples/acme'), '--data', data)
const browser = await chromium.launch({ executablePath: pathOf('chromium') ?? '', args: ['--no-sandbox'] })
try {
  for (const { name, path, scheme } of PICTURES) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: scheme })
    await page.goto(`${service.url}/acme/guidelines${path}`, { waitUntil: 'networkidle' })
    const file = join(root, 'docs/images', `${name}.png`)
    await page.screenshot({ path: file })
    const { size } = statSync(file)
    console.log(`docs/images/${name}.png: ${Math.round(size / 1000)} KB`)
    if (size > LARGEST) throw new Error(`docs/images/${name}.png is larger than ${LARGEST / 1000} KB`)
  }
} finally {
  await browser.close()
  await service.stop()
  rmSync(data, { recursive: true })
}
