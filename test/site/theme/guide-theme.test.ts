import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { testService } from '../../support/service.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="30"/>'
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
  'base64',
)
const FILES = {
  'styles/colors.yaml':
    '- { name: Ink, hex: "#14212b" }\n- { name: Vermilion, hex: "#cc3a06" }\n- { name: Paper, hex: "#faf7f2" }\n- { name: Lemon, hex: "#ffd84a" }\n',
  'styles/types.yaml':
    '- { name: Display, family: Acme Sans, weight: 600, casing: uppercase, tracking: -0.02, size: 82 }\n- { name: Section, size: 32, leading: 1.2 }\n',
  'files/logo.svg': SVG,
  'files/logo-dark.svg': SVG.replace('30', '31'),
  'files/icon.svg': SVG.replace('120', '30'),
  'files/share.png': PNG,
  'pages/index.md': '# Welcome\n',
  'pages/logo.md': '---\nground: lemon\n---\n# Logo\n',
}
const THEME =
  'theme: { logo: files/logo.svg, logoDark: files/logo-dark.svg, icon: files/icon.svg, accent: vermilion, ground: paper, text: ink, heading: display, corners: square }\nsocialImage: files/share.png\n'

const temporary = await temporaryStore()
async function publish(workspace: string, project: string, settings: string): Promise<void> {
  const files = Object.entries(FILES).map(([path, content]) => [`${project}/${path}`, content])
  const contents = { ...Object.fromEntries(files), [`${project}/project.yaml`]: `name: Guide\n${settings}` }
  await temporary.importing(workspace, contents)
  await temporary.publish(`${workspace}/${project}`)
}
await publish('acme', 'guide', `visibility: public\n${THEME}`)
await publish('plain', 'guide', 'visibility: public\ntheme: none\n')
await publish('still', 'guide', `visibility: public\n${THEME.replace(' }', ', dark: off }')}`)
await publish('ruled', 'guide', `visibility: public\n${THEME.replace(' }', ', lines: rule, motion: none }')}`)
await publish(
  'scaled',
  'guide',
  `visibility: public\n${THEME.replace(' }', ', scale: { title: display, h2: section, lead: section } }')}`,
)
await publish('two', 'one', `visibility: public\n${THEME}`)
await publish('two', 'other', 'visibility: public\n')
const { ask } = await testService(temporary)

const sheetOf = async (guide: string) => (await ask(`${guide}/-/theme.css`)).text

test('a guide uses its theme: unchanged colours on light pages, logo, icon, browser colour and preview', async () => {
  const { text } = await ask('/acme/guide')
  assert.match(text, /<link rel="icon" href="\/acme\/guide\/-\/files\/[\w-]+\/icon\.svg" type="image\/svg\+xml">/)
  assert.match(
    text,
    /<a class="name" href="\/acme\/guide"><img class="logo only-light" src="[^"]+\/logo\.svg" alt="Guide" width="120" height="30"><img class="logo only-dark" src="[^"]+\/logo-dark\.svg"/,
  )
  assert.match(
    text,
    /<meta name="theme-color" content="#faf7f2" media="\(prefers-color-scheme: light\)">\n<meta name="theme-color" content="#14212b" media="\(prefers-color-scheme: dark\)">/,
  )
  assert.match(
    text,
    /<meta property="og:image" content="http:\/\/brand\.test\/acme\/guide\/-\/files\/[\w-]+\/share\.png">\n<meta name="twitter:card" content="summary_large_image">/,
  )
  const links = Array.from(text.matchAll(/<link rel="stylesheet" href="([^"]+)">/g), ([, path]) => path)
  assert.equal(links.at(-1), '/acme/guide/-/theme.css', 'it comes after all others')
  const sheet = await sheetOf('/acme/guide')
  for (const rule of [
    '--ground:light-dark(#faf7f2,#14212b)',
    '--text:light-dark(#14212b,',
    '--link:light-dark(#cc3a06,',
    '--corner:0}',
  ])
    assert.ok(sheet.includes(rule), rule)
  assert.match(
    sheet,
    /h1,h2,h3,h4\{font-family: "Acme Sans", system-ui, sans-serif;font-weight: 600;letter-spacing: -0\.02em;text-transform: uppercase\}/,
  )
})

test('background colours have classes with legible text', async () => {
  const sheet = await sheetOf('/plain/guide')
  assert.match(
    sheet,
    /^\.ground-lemon\{--ground:#ffd84a;--text:#14212b;.*background:var\(--ground\);color:var\(--text\)/,
  )
  assert.doesNotMatch(sheet, /ground-ink/)
})

test('with theme: none, a guide uses none of its colours, logos or fonts', async () => {
  const { text } = await ask('/plain/guide')
  assert.match(text, /<link rel="icon" href="\/assets\/[^"]+\/icon\.svg">/)
  assert.match(text, /<a class="name" href="\/plain\/guide">Guide<\/a>/)
  assert.doesNotMatch(text, /theme-color/)
  assert.doesNotMatch(await sheetOf('/plain/guide'), /:root/)
})

test('pages that are never dark have one logo, one colour scheme and no button to change it', async () => {
  const { text } = await ask('/still/guide')
  assert.match(text, /<meta name="theme-color" content="#faf7f2">/)
  assert.doesNotMatch(text, /only-dark|<button class="theme"/)
  assert.match(text, /<html lang="en" data-theme="light">/)
  assert.match(await sheetOf('/still/guide'), /--ground:#faf7f2;/)
})

test('a theme sets the lines between parts, and whether anything moves', async () => {
  const still = ':root{--short:0s;--long:0s;scroll-behavior:auto}'
  const [usual, ruled] = [await sheetOf('/acme/guide'), await sheetOf('/ruled/guide')]
  assert.deepEqual([usual.includes('--rule:'), usual.includes(still)], [false, false])
  const seen = [ruled.includes(':root,[class*=ground-],.cover{--rule:2px solid}'), ruled.includes(still)]
  assert.deepEqual(seen, [true, true])
})

test('titles have the type styles of the scale, smaller on phones and never larger than authored', async () => {
  const sheet = await sheetOf('/scaled/guide')
  for (const rule of [
    '.statement,.tile-name,h3,h4{',
    'h1{font-family: "Acme Sans", system-ui, sans-serif;font-style: normal;font-weight: 600;letter-spacing: -0.02em;text-transform: uppercase}',
    '.chapters>li>a,.neighbours>a{font-family: "Acme Sans"',
    'h2{font-style: normal;font-weight: 400;line-height: 1.2;letter-spacing: 0em}',
    ':root{--size-title:clamp(43px, 26.29px + 4.64vw, 82px);--size-h2:clamp(24px, 20.57px + 0.95vw, 32px);--size-lead:clamp(24px',
  ])
    assert.ok(sheet.includes(rule), `${rule} in ${sheet}`)
  assert.doesNotMatch(await sheetOf('/acme/guide'), /--size-title/)
})

test('the page of a workspace uses the theme of its only guide', async () => {
  const { text } = await ask('/acme')
  assert.match(text, /\/acme\/guide\/-\/theme\.css/)
  assert.match(text, /<img class="logo only-light"/)
  assert.doesNotMatch((await ask('/two')).text, /theme\.css|class="logo/)
})

const NAMES = ['IBMPlexSans-Regular-Latin1', 'IBMPlexSans-SemiBold-Latin1']
const ITALIC = 'IBMPlexSans-Italic-Latin1'

test('each page with a theme preloads its fonts, including the first requested page', async () => {
  const examples = await temporaryStore()
  const styles = '- { name: Title, family: IBM Plex Sans, weight: 600 }\n- { name: Body, family: IBM Plex Sans }\n'
  const fonts = join(import.meta.dirname, '../../../examples/acme/guidelines/files/fonts')
  await examples.publishing('acme/guide', {
    'guide/project.yaml': 'visibility: public\ntheme: { heading: title, body: body }\n',
    'guide/styles/types.yaml': styles,
    'guide/pages/italic.md': '# Words\n\nOne is *set apart*.\n',
    ...Object.fromEntries(
      [...NAMES, ITALIC].map(name => [`guide/files/${name}.woff2`, readFileSync(join(fonts, `${name}.woff2`))]),
    ),
  })
  const { ask } = await testService(examples)
  for (const path of ['/guide', '/guide/-/search?q=ink', '/guide/nothing', '/guide/italic', '']) {
    const { headers } = await ask(`/acme${path}`, { headers: { accept: 'text/html' } })
    const ahead = Array.from(
      headers.get('link')?.matchAll(/\/([\w-]+?)(?:-latin)?\.woff2>; rel=preload; as=font/g) ?? [],
      ([, name]) => name,
    )
    assert.deepEqual(ahead, path.endsWith('/italic') ? [...NAMES, ITALIC] : NAMES, path)
  }
})
