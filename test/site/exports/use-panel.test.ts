import assert from 'node:assert/strict'
import test from 'node:test'
import { LANGUAGES } from '#brand/languages.ts'
import { FORMATS } from '#delivery/export/formats.ts'
import { collection, INTER } from '../../support/fonts.ts'
import { servedBrand, URL_OF_SERVICE } from '../../support/service.ts'
import { SMALL_BRAND } from '../../support/temporary-store.ts'

const STYLED = Object.entries(SMALL_BRAND).filter(([path]) => /^guidelines\/(?:styles|files|pages)\//.test(path))

const { ask, temporary } = await servedBrand({
  'guidelines/project.yaml': 'visibility: private\n',
  'hidden/project.yaml': 'visibility: private\n',
  ...SMALL_BRAND,
  'hidden/styles/colors.yaml': '- { name: Red, hex: "#f00" }\n',
  'hidden/files/pair.ttc': collection([INTER, INTER]),
  ...Object.fromEntries(
    LANGUAGES.flatMap(lang => [
      [`${lang}/project.yaml`, `visibility: public\nlang: ${lang}\n`],
      ...STYLED.map(([path, content]) => [path.replace('guidelines', lang), content]),
    ]),
  ),
  'texts/project.yaml': 'visibility: public\nlang: de\n',
  'texts/pages/index.md': '# Nur Text\n',
  'texts/pages/use.md': '# Gebrauch\n\n## Use\n',
})
const { token } = await temporary.issue('acme')

test('the page of formats offers all formats that the guide has content for, and each download works', async () => {
  const files = downloadsIn((await ask('/acme/guidelines/-/use')).text)
  for (const file of files) assert.equal((await ask(`/acme/guidelines/-/exports/${file}`)).status, 200, file)
  const served = await Promise.all(
    FORMATS.map(async ({ file }) => ((await ask(`/acme/guidelines/-/exports/${file}`)).status === 200 ? [file] : [])),
  )
  const unexpected = served.flat().filter(file => !files.includes(file))
  assert.deepEqual(unexpected, [])
})

test('the page of formats begins with the downloads for design programs, without code to copy', async () => {
  const { text } = await ask('/acme/guidelines/-/use')
  const [, design = '', code = '', agents = ''] = panelIn(text).split('<h2>')
  assert.match(design, /^For design<[\s\S]*All files[\s\S]*\/-\/files\.zip" download[\s\S]*palette\.zip/)
  assert.deepEqual(downloadsIn(`<section class="tools"${design}<footer`), [
    'palette.zip',
    'palette.ase',
    'palette.gpl',
    'tokens.legacy.json',
  ])
  assert.doesNotMatch(design, /npx|<button|<samp/)
  assert.match(code, /^For code<[\s\S]*tokens\.json[\s\S]*tokens\.css/)
  assert.match(
    agents,
    /^For agents<[\s\S]*MCP address[\s\S]*DESIGN\.md[\s\S]*skill\.zip[\s\S]*\/acme\/guidelines\/llms\.txt"/,
  )
})

test('the home page in its footer and the pages of colours and type link to the page of formats for developers, in their language', async () => {
  const links: Readonly<Record<string, string>> = {
    en: 'For developers',
    ar: 'للمطورين',
    de: 'Für Entwicklerinnen und Entwickler',
    es: 'Para desarrolladores',
    fr: 'Pour les développeurs',
    it: 'Per gli sviluppatori',
    ja: '開発者向け',
    nl: 'Voor ontwikkelaars',
    pt: 'Para desenvolvedores',
  }
  for (const language of LANGUAGES) {
    const { text } = await ask(`/acme/${language}`)
    const link = `href="/acme/${language}/-/use">${links[language]}</a>`
    assert.ok(text.includes(`<a id="use" ${link}`), language)
    assert.doesNotMatch(text, /llms\.txt|\/-\/exports\//)
    for (const page of ['colors', 'type'])
      assert.ok(
        (await ask(`/acme/${language}/-/${page}`)).text.includes(`class="developers"><a ${link}`),
        `${language} ${page}`,
      )
  }
})

test('no two entries of the page have one name, in any language', async () => {
  for (const language of LANGUAGES) {
    const { text } = await ask(`/acme/${language}/-/use`)
    const names = Array.from(
      panelIn(text).matchAll(/<summary>([^<]+)|<div><span>([^<]+)/g),
      ([, row, one]) => row ?? one,
    )
    assert.ok(names.length > 15, language)
    const unexpected = names.filter((name, at) => names.indexOf(name) < at)
    assert.deepEqual(unexpected, [], language)
  }
})

const CLIENTS = ['Claude Code', 'Codex', 'Cursor', 'Gemini CLI', 'VS Code']

test('the page has the MCP address and at most three lines of setup for each client, without a token', async () => {
  for (const project of ['guidelines', 'hidden']) {
    const { text } = await ask(`/acme/${project}/-/use`, { token })
    const [address = '', ...setups] = setupsIn(text)
    assert.equal(address, `${URL_OF_SERVICE}/acme/${project}/-/mcp`)
    assert.equal(setups.length, CLIENTS.length)
    for (const setup of setups) {
      assert.ok(setup.includes(address) && setup.includes(`acme-${project}`), setup)
      assert.ok(setup.split('\n').length <= 3 && !/token|authorization/i.test(setup), setup)
      if (setup.startsWith('{')) JSON.parse(setup)
    }
    for (const client of CLIENTS) assert.match(panelIn(text), new RegExp(`<summary>${client}`))
    assert.ok(!panelIn(text).includes(token), 'a page never shows a token')
  }
})

test('only the page of a private guide says that people sign in, in the language of the guide', async () => {
  const note = 'The program opens your browser. Sign in, or enter the share link that you were given.'
  assert.ok(panelIn((await ask('/acme/hidden/-/use', { token })).text).includes(note))
  assert.ok(!panelIn((await ask('/acme/guidelines/-/use')).text).includes(note))
})

test('the page shows snippets for code: a link and an import for style sheets, and the command for each format', async () => {
  const { text } = await ask('/acme/guidelines/-/use')
  const panel = panelIn(text)
  const address = `${URL_OF_SERVICE}/acme/guidelines/-/exports/tokens.css`
  for (const snippet of [
    `<link rel="stylesheet" href="${address}">`,
    `@import url("${address}");`,
    'housestyle export acme/guidelines --to css --out tokens.css',
    'housestyle export acme/guidelines --to scss --out _tokens.scss',
  ])
    assert.ok(panel.includes(snippet), snippet)
})

test('the page of a private guide is also private, and has no addresses that other sites could not load', async () => {
  const { text } = await ask('/acme/hidden/-/use', { token })
  assert.ok(downloadsIn(text).includes('tokens.css'))
  assert.match(panelIn(text), /<link rel="stylesheet" href="tokens\.css">/)
  assert.doesNotMatch(panelIn(text), /fonts\.css|office/)
  assert.equal((await ask('/acme/hidden/-/use')).status, 404)
})

test('a guide with only pages has the formats for agents, in its own language', async () => {
  const { text } = await ask('/acme/texts/-/use')
  assert.deepEqual(downloadsIn(text), ['DESIGN.md', 'skill.zip'])
  assert.match(panelIn(text), /<h2>Für KI-Agenten<\/h2>/)
  assert.doesNotMatch((await ask('/acme/texts/-/colors')).text, /class="developers"/)
})

function panelIn(text: string): string {
  const panel = /<(?:section|div) class="tools"[\s\S]*?<footer/.exec(text)?.[0] ?? ''
  return panel.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
}

/** The snippets for agents before the downloads. */
function setupsIn(text: string): string[] {
  const agents = panelIn(text).split('<h2>For agents</h2>')[1]?.split('<summary>DESIGN.md')[0] ?? ''
  return Array.from(agents.matchAll(/<samp>([\s\S]*?)<\/samp>/g), ([, snippet = '']) =>
    snippet.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&'),
  )
}

function downloadsIn(text: string): string[] {
  return Array.from(panelIn(text).matchAll(/\/-\/exports\/([^"]+)" download/g), ([, file = '']) => file)
}
