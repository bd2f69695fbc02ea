import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { openPage } from '../support/browser.ts'
import { localServer } from '../support/local-server.ts'
import { needs } from '../support/programs.ts'
import { runningService } from '../support/running.ts'
import { publishedBrand } from '../support/served-brand.ts'
import { until } from '../support/until.ts'

const FRAUNCES = readFileSync('node_modules/@fontsource-variable/fraunces/files/fraunces-latin-full-normal.woff2')
const guide = (project: string, visibility: string) => ({
  [`${project}/project.yaml`]: `visibility: ${visibility}\ntheme: { heading: title, accent: red }\n`,
  [`${project}/styles/colors.yaml`]: '- { name: Red, hex: "#cc0022" }\n',
  [`${project}/styles/types.yaml`]: '- { name: Title, family: Fraunces, weight: 650 }\n',
  [`${project}/files/fraunces.woff2`]: FRAUNCES,
})

/** Runs in a page of another origin: tries to use a guide with `fetch`, style sheets and a font. */
const USE = `async (guide, font) => {
  const may = promise => promise.then(() => true, () => false)
  const sheet = (below, attributes) => new Promise((done, failed) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: guide + below, ...attributes })
    link.addEventListener('load', () => done(link.sheet.cssRules.length))
    link.addEventListener('error', failed)
    document.head.append(link)
  })
  return {
    tokens: await may(fetch(guide + '/-/exports/tokens.json').then(reply => reply.json())),
    conditional: await may(fetch(guide + '/-/exports/tokens.json', { headers: { 'If-None-Match': '"x"' } })),
    archive: await may(fetch(guide + '/-/exports/palette.zip').then(reply => reply.blob())),
    page: await may(fetch(guide)),
    theme: await may(sheet('/-/theme.css', { crossOrigin: 'anonymous' })),
    fonts: await may(sheet('/-/exports/fonts.css', { crossOrigin: 'anonymous' })),
    face: await may(new FontFace('Face', 'url(' + font + ')').load()),
    accent: getComputedStyle(document.documentElement).getPropertyValue('--accent'),
    loaded: await Promise.all([...document.fonts].filter(({ family }) => /^"?(?:Frame: )?Fraunces/.test(family))
      .map(async each => [each.family.replaceAll('"', ''), await may(each.load())].join())),
  }
}`

test('a page of another origin uses exports of public guides, and no private ones', needs('chromium'), async () => {
  const temporary = await publishedBrand({ ...guide('open', 'public'), ...guide('closed', 'private') })
  const { url } = await runningService(temporary)
  // A busy machine may need longer to read the font than a page waits.
  await until(async () => {
    const sheet = await (await fetch(`${url}/acme/open/-/theme.css`)).text()
    return sheet.match(/@font-face\{[^}]*Frame: Fraunces/g)?.length === 2
  })
  const { token } = await temporary.issue('acme')
  const app = await localServer((_, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><link rel="icon" href="data:,"><p>Text')
  })
  const used = async (project: string) => {
    const address = `${url}/beta/workspace/acme/project/${project}/files`
    const reply = await fetch(address, { headers: { authorization: `Bearer ${token}` } })
    const { files }: { files: { url: string }[] } = JSON.parse(await reply.text())
    const { page } = await openPage()
    await page.goto(app.url)
    return page.evaluate<object>(
      `(${USE})(${JSON.stringify(`${url}/acme/${project}`)}, ${JSON.stringify(files[0]?.url)})`,
    )
  }
  assert.deepEqual(await used('open'), {
    tokens: true,
    conditional: true,
    archive: true,
    page: false,
    theme: true,
    fonts: true,
    face: true,
    accent: 'light-dark(#cc0022,#cf0b25)',
    loaded: ['Frame: Fraunces,true', 'Frame: Fraunces,true', 'Fraunces,true'],
  })
  assert.deepEqual(await used('closed'), {
    tokens: false,
    conditional: false,
    archive: false,
    page: false,
    theme: false,
    fonts: false,
    face: false,
    accent: '',
    loaded: [],
  })
})
