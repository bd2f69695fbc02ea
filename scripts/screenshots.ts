import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { chromium } from 'playwright-core'
import { serve } from '../test/support/command.ts'
import { pathOf } from '../test/support/programs.ts'

/*
 * npm run screenshots: takes the pictures in README.md and docs/writing.md from the example brand with Debian's Chromium,
 * and prints their sizes. A picture of a page may have 200 KB, a picture of one form 80 KB.
 */
const PICTURES = [
  { name: 'home', path: '', scheme: 'light' },
  { name: 'colors', path: '/-/colors', scheme: 'light' },
  { name: 'type', path: '/-/type', scheme: 'light' },
  { name: 'files', path: '/-/files/pictures', scheme: 'dark' },
] as const

/** Rendered Markdown: the first part of a page that matches the selector. */
const FORMS = [
  { name: 'form-cover', path: '/logo', selector: '.cover' },
  { name: 'form-proportions', path: '', selector: '.proportions' },
  { name: 'form-palette', path: '/color', selector: '.tiles >> nth=2' },
  { name: 'form-specimen', path: '/typography', selector: 'li.specimen:has(.type-display)' },
  { name: 'form-kit', path: '/logo', selector: '.link-cards' },
  { name: 'form-dont', path: '/logo/misuse', selector: 'table' },
  { name: 'form-note', path: '/logo', selector: '.callout' },
  { name: 'form-tabs', path: '/color', selector: '.tabs' },
] as const

const MAX_PICTURE_BYTES = 200_000
const MAX_FORM_BYTES = 80_000
const root = dirname(import.meta.dirname)
const data = mkdtempSync(join(tmpdir(), 'housestyle-'))
const service = await serve(join(root, 'bin/housestyle.js'), join(root, 'examples/acme'), '--data', data)
const browser = await chromium.launch({ executablePath: pathOf('chromium') ?? '', args: ['--no-sandbox'] })
try {
  for (const { name, path, scheme } of PICTURES) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: scheme })
    await page.goto(`${service.url}/acme/guidelines${path}`, { waitUntil: 'networkidle' })
    await page.screenshot({ path: pictureFile(name) })
    reportSize(name, MAX_PICTURE_BYTES)
  }
  for (const { name, path, selector } of FORMS) {
    const page = await browser.newPage({ viewport: { width: 1000, height: 800 }, colorScheme: 'light' })
    await page.goto(`${service.url}/acme/guidelines${path}`, { waitUntil: 'networkidle' })
    await page
      .locator(selector)
      .first()
      .screenshot({ path: pictureFile(name) })
    reportSize(name, MAX_FORM_BYTES)
  }
} finally {
  await browser.close()
  await service.stop()
  rmSync(data, { recursive: true })
}

function pictureFile(name: string): string {
  return join(root, 'docs/images', `${name}.png`)
}

function reportSize(name: string, maxBytes: number): void {
  const { size } = statSync(pictureFile(name))
  console.log(`docs/images/${name}.png: ${Math.round(size / 1000)} KB`)
  if (size > maxBytes) throw new Error(`docs/images/${name}.png is larger than ${maxBytes / 1000} KB`)
}
