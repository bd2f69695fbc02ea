import assert from 'node:assert/strict'
import test from 'node:test'
import { servedBrand } from '../../support/service.ts'

const svg = (width: number) => `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20"/>`
const BRAND = {
  'styles/colors.yaml':
    '- { name: Sky, hex: "#b3efff" }\n- { name: Sea, hex: "#046b99" }\n- { name: Night, hex: "#1c304a" }\n',
  'styles/types.yaml':
    '- { name: Poster, family: Acme Black, weight: 900 }\n- { name: Text, family: Acme Sans, fallback: [Verdana] }\n',
  'files/img/a-brand-logo.svg': svg(60),
  'files/img/logo-black.svg': svg(63),
  'files/img/logo-white.svg': svg(61),
  'files/img/logo.svg': svg(62),
  'pages/index.md': '# Welcome\n',
}
const folder = (project: string, settings: string, files: Readonly<Record<string, string>> = BRAND) =>
  Object.fromEntries(
    Object.entries({ ...files, 'project.yaml': `visibility: public\n${settings}` }).map(([path, text]) => [
      `${project}/${path}`,
      text,
    ]),
  )
const { 'files/img/logo.svg': _, 'files/img/logo-black.svg': __, ...unnamed } = BRAND
const { ask } = await servedBrand({
  ...folder('own', ''),
  ...folder('none', 'theme: none\n'),
  ...folder('unnamed', '', unnamed),
  ...folder('chapters', '', {
    ...BRAND,
    ...Object.fromEntries(['a', 'b', 'b/c', 'd'].map(id => [`pages/${id}.md`, `# ${id}\n`])),
  }),
  ...folder('apart', 'theme: { layout: docs }\n', { ...BRAND, 'pages/a.md': '# A\n' }),
  ...folder('grounded', '', {
    ...BRAND,
    'pages/a.md': '# A\n',
    'pages/index.md': '---\nground: night\n---\n# Welcome\n',
  }),
  ...folder('pale', '', { 'styles/colors.yaml': '- { name: Sky, hex: "#b3efff" }\n', 'pages/index.md': '# Welcome\n' }),
})
const sheetOf = async (project: string) => (await ask(`/acme/${project}/-/theme.css`)).text

test('a guide without a theme takes the first legible colour as accent, and the first family with a regular cut', async () => {
  const sheet = await sheetOf('own')
  assert.match(sheet, /--link:light-dark\(#046b99,.*--accent:light-dark\(#046b99,/)
  assert.match(sheet, /^body,input,button\{font-family: "Acme Sans", "Verdana", system-ui, sans-serif\}$/m)
  assert.match(sheet, /^\.statement,\.tile-name,h1,h2,h3,h4\{font-family: "Acme Sans", "Verdana",/m)
})

test('its logo has the shortest name that begins with logo, and on dark pages the shortest of those made for them', async () => {
  const { text } = await ask('/acme/own')
  assert.match(text, /<a class="name" href="\/acme\/own"><img class="logo only-light" src="[^"]+\/logo\.svg"/)
  assert.match(text, /<img class="logo only-dark" src="[^"]+\/logo-white\.svg"/)
  assert.match((await ask('/acme/unnamed')).text, /<img class="logo only-light" src="[^"]+\/a-brand-logo\.svg"/)
})

test('with theme: none, a guide stays neutral', async () => {
  const { text } = await ask('/acme/none')
  assert.doesNotMatch(text, /class="logo/)
  assert.doesNotMatch(await sheetOf('none'), /:root|font-family/)
})

test('without a legible colour, the accent is neutral', async () => {
  assert.doesNotMatch(await sheetOf('pale'), /--accent/)
})

test('the home page of a guide without a theme has a head on its accent with its logo, or a dark one; or on its ground', async () => {
  const head = async (project: string) => /<div class="(cover[^"]*)"/.exec((await ask(`/acme/${project}`)).text)?.[1]
  const seen = [await head('own'), await head('none'), await head('grounded')]
  assert.deepEqual(seen, ['cover ground-sea pictured', 'cover ink', 'cover ground-night'])
  assert.match(await sheetOf('own'), /^\.cover\.ground-sea\{--ground:#046b99;--text:#b3efff;/m)
})

test('if no page has a cover or ground, the pages of each chapter open on one of the strong colours in turn; not in the docs layout', async () => {
  const cases: readonly (readonly [address: string, head: string | undefined])[] = [
    ['chapters/a', 'cover ground-sea'],
    ['chapters/b', 'cover ground-night'],
    ['chapters/b/c', 'cover ground-night'],
    ['chapters/d', 'cover ground-sea'],
    ['grounded/a', undefined],
    ['apart/a', undefined],
  ]
  for (const [address, head] of cases)
    assert.equal(/<div class="(cover[^"]*)"/.exec((await ask(`/acme/${address}`)).text)?.[1], head, address)
  assert.doesNotMatch((await ask('/acme/chapters/a')).text, /<main>[\s\S]*?<img/)
})
