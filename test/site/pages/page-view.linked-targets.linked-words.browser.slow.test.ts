import assert from 'node:assert/strict'
import test from 'node:test'
import { CHROMIUM, openPage } from '../../support/browser.ts'
import { runningService } from '../../support/service.ts'
import { publishedBrand } from '../../support/temporary-store.ts'

const { url } = await runningService(
  await publishedBrand({
    'open/project.yaml': `visibility: public
lang: de
words:
  - { write: Kundenzufriedenheit, not: [Kundenbegeisterungsoffensive, "Customer Delight"], reason: Die Leute sagen es so., page: index }
  - { write: use, not: utilise }
`,
    'open/pages/index.md': '# Stimme\n\n[Unsere Wörter](../project.yaml#words)\n',
  }),
)

for (const colorScheme of ['light', 'dark'] as const)
  test(`the table of words fits 360 px and is readable on ${colorScheme} pages`, CHROMIUM, async () => {
    const { page, complaints } = await openPage({ viewport: { width: 360, height: 740 }, colorScheme })
    await page.goto(`${url}/acme/open`)
    const widths = `[document.documentElement, document.querySelector('.brand-words')].map(e => e.scrollWidth - e.clientWidth)`
    assert.deepEqual(await page.evaluate(widths), [0, 0])
    const colorOf = (selector: string, property: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).${property}`)
    const [letters, ground] = [await colorOf('.brand-words td', 'color'), await colorOf('body', 'backgroundColor')]
    const lightness = (color: string) => Number(/\d+/.exec(color)?.[0])
    assert.ok(Math.abs(lightness(letters) - lightness(ground)) > 128, `${letters} on ${ground}`)
    assert.deepEqual(complaints, [])
  })
