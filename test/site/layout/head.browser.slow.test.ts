import assert from 'node:assert/strict'
import test from 'node:test'
import { CHROMIUM, openPage } from '../../support/browser.ts'
import { runningService } from '../../support/service.ts'
import { publishedBrand } from '../../support/temporary-store.ts'

const guide = (name: string, project: string) => ({
  [`${name}/project.yaml`]: `name: Quay\nvisibility: public\n${project}`,
  [`${name}/styles/colors.yaml`]: '- { name: Plum, hex: "#7a1fa2" }\n- { name: Paper, hex: "#ffffff" }\n',
  [`${name}/styles/types.yaml`]: '- { name: Big, size: 60 }\n',
  [`${name}/pages/index.md`]: '# Quay\n\n## One\n\nText.\n',
  [`${name}/pages/logo.md`]: '# Logo\n\nText.\n\n## One\n\nText.\n',
  [`${name}/files/a.pdf`]: '%PDF-1.4',
})
const { url } = await runningService(
  await publishedBrand({
    ...guide('plain', ''),
    ...guide('themed', 'theme: { accent: plum }\n'),
    ...guide('scaled', 'theme: { accent: plum, scale: { title: big } }\n'),
    ...guide('docs', 'theme: { layout: docs }\n'),
  }),
)
const PATHS = '/-/colors /-/colors/all /-/contrast/plum /-/type /-/files /-/search?q=a /-/use /-/pages'.split(' ')

/** In the browser: the size of the title and its distance from the top, and the ground around it. */
const HEAD = `(() => {
  const title = document.querySelector('h1')
  const { backgroundColor } = getComputedStyle(title.closest('.cover') ?? document.body)
  return [parseFloat(getComputedStyle(title).fontSize), Math.round(title.getBoundingClientRect().top), backgroundColor]
})()`

for (const [name, home, others] of [
  ['plain', [96, 104], [80, 88]],
  ['themed', [96, 104], [80, 88]],
  ['scaled', [60, 60], [60, 60]],
  ['docs', [54, 60], [44, 52]],
] as const)
  test(`written and generated pages of a guide have one head: ${name}`, CHROMIUM, async () => {
    const { page } = await openPage({ viewport: { width: 1440, height: 900 } })
    const headOf = async (path: string) => {
      await page.goto(`${url}/acme/${name}${path}`)
      return page.evaluate<[size: number, top: number, ground: string]>(HEAD)
    }
    const [front] = await headOf('')
    assert.ok(front >= home[0] && front <= home[1], `home has ${front}`)
    const written = await headOf('/logo')
    assert.ok(written[0] >= others[0] && written[0] <= others[1], `pages have ${written[0]}`)
    for (const path of PATHS) assert.deepEqual(await headOf(path), written, path)
  })
