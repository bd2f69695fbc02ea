import assert from 'node:assert/strict'
import test from 'node:test'
import { openPage } from '../../support/browser.ts'
import { needs } from '../../support/programs.ts'
import { runningService } from '../../support/running.ts'
import { publishedBrand } from '../../support/served-brand.ts'

const text = `# Page\n\n## One\n\n${'A line of text.\n\n'.repeat(40)}## Two\n\n${'A line of text.\n\n'.repeat(40)}`
const brand = {
  'guide/pages/logo.md': text,
  'guide/pages/logo/size.md': text,
  'guide/pages/voice.md': text,
}
const { url } = await runningService(
  await publishedBrand({
    ...brand,
    'guide/project.yaml': 'visibility: public\nnav: sections\n',
    ...Object.fromEntries(Object.entries(brand).map(([path, page]) => [path.replace('guide', 'plain'), page])),
  }),
)

test(
  'a heading that a link leads to is below the header, whatever the width and the navigation',
  needs('chromium'),
  async () => {
    for (const width of [360, 768, 1024, 1440, 1920])
      for (const path of ['guide/logo/size', 'guide/voice', 'plain/logo/size']) {
        const { page } = await openPage({ viewport: { width, height: 800 }, reducedMotion: 'reduce' })
        await page.goto(`${url}/acme/${path}#two`)
        const distance: unknown = await page.evaluate(`(() => {
        const bars = [...document.querySelectorAll('.top, .subnav')].map(bar => bar.getBoundingClientRect().bottom)
        return Math.round(document.getElementById('two').getBoundingClientRect().top - Math.max(...bars))
      })()`)
        assert.ok(typeof distance === 'number' && distance >= 4 && distance <= 40, `${path} at ${width}: ${distance}`)
        await page.close()
      }
  },
)
