import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { childProcesses, whileKilling } from '../../support/child-processes.ts'
import { servedBrand, testService } from '../../support/service.ts'
import { publishedBrand } from '../../support/temporary-store.ts'

const temporary = await publishedBrand({
  'guide/project.yaml': 'name: Guide\nvisibility: public\n',
  'guide/pages/logo.md': '# Logo\n\nKeep it *clear*.\n',
  'guide/pages/few.md': `# Few\n\n${'## One\n\nText\n\n'.repeat(4)}`,
  'guide/pages/wide.md':
    '# Wide\n\n## One\n\n<!-- wide -->\n\n| A |\n| - |\n| B |\n\n## Two\n\n## Three\n\n## Four\n\n## Five\n',
  'guide/pages/deep.md': '<div>'.repeat(100_000),
  ...Object.fromEntries(
    ['a', 'b', 'c', 'd', 'e'].map(id => [
      `guide/pages/same/${id}.md`,
      `---\ndescription: ${id < 'd' ? 'Of three' : 'Of two'}.\n---\n\n# ${id}\n\nText.\n`,
    ]),
  ),
})

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20"/></svg>'
const PLEX = new URL('../../../examples/acme/guidelines/files/fonts/IBMPlexSans-Regular-Latin1.woff2', import.meta.url)
const LINKS = [
  '[Ink](../styles/colors.yaml#ink)',
  '[All](../styles/colors.yaml)',
  '[Core](../styles/colors.yaml#core)',
  '[Big](../styles/types.yaml#big)',
  '[Logo](../files/logo/logo.svg)',
  '[Kit](../files/logo/)',
  '[Everything](../files/)',
  '[Cover](cover.md)',
  '[Plain](plain.md#part)',
  '[Red cover](red.md)',
]
const many = Array.from(
  { length: 600 },
  (_, at) => `- { name: Blue ${at}, hex: "#0000ff"${at > 550 ? ', group: Late' : ''} }\n`,
)
const { ask } = await servedBrand({
  'open/project.yaml': 'name: Open\nvisibility: public\n',
  'open/styles/colors.yaml':
    '- { name: Ink, hex: "#14212b", group: Core, use: Letters }\n- { name: Paper, hex: "#faf7f2", group: Core }\n- { name: Red, hex: "#f00" }\n',
  'open/styles/types.yaml':
    '- { name: Big, family: Plex, size: 48, leading: 1.1, weight: 600, sample: "Made <b> to last" }\n',
  'open/files/logo/logo.svg': SVG,
  'open/files/logo/print/logo.txt': 'x'.repeat(100),
  'open/files/other.txt': 'x',
  'open/files/files.yaml': 'logo/logo.svg: { ground: ink }\n',
  'open/pages/index.md': `---\ntitle: Home\n---\n${LINKS.join('\n\n')}\n`,
  'open/pages/cover.md': '---\ntitle: C\ndescription: About it\ncover: ../files/logo/logo.svg\n---\nText\n',
  'open/pages/red.md': '---\ncover: ../files/logo/logo.svg\nground: red\n---\nText\n',
  'open/pages/plain.md': '# Plain\n\n## Part\n\nSee [Ink](../styles/colors.yaml#ink).\n',
  'open/pages/card.md': '[Kit](../files/logo/)\n',
  'open/pages/text.md': 'No card.\n',
  'open/pages/fonts.md':
    '[Kit](../files/fonts/)\n\n[Plex](../files/fonts/plex.woff2)\n\n[White](../files/fonts/plex-white.svg)\n',
  'open/files/fonts/plex.woff2': readFileSync(PLEX),
  'open/files/fonts/plex-white.svg': SVG.replace('<rect width="40"', '<rect fill="#fff" x="4" width="32"'),
  'many/styles/colors.yaml': many.join(''),
  'many/pages/index.md': `[All](../styles/colors.yaml)\n\n[Late](../styles/colors.yaml#blue-599)\n`,
  'many/styles/types.yaml': Array.from({ length: 501 }, (_, at) => `- { name: Type ${at} }\n`).join(''),
  'many/pages/text.md':
    '# [Blue](../styles/colors.yaml#blue-598)\n\nAs [Blue](../styles/colors.yaml#blue-599), [Late](../styles/colors.yaml#late), [Type](../styles/types.yaml#type-500) and [Blue](../styles/colors.yaml#blue-1).\n',
})

test('a page whose renderer is killed repeatedly is unavailable for a moment, and the failure is not cached', async () => {
  const { ask } = await testService(temporary)
  const refused = await whileKilling(ask('/acme/guide/logo'))
  assert.equal(refused.status, 503)
  const seen = ['retry-after', 'cache-control'].map(name => refused.headers.get(name))
  assert.deepEqual(seen, ['5', 'no-store'])
  assert.match((await ask('/metrics')).text, /^housestyle_worker_failures_total\{task="markdown",cause="killed"\} 2$/m)
  const { status, text } = await ask('/acme/guide/logo')
  assert.equal(status, 200)
  assert.match(text, /Keep it <em>clear<\/em>\./)
})

test('a page whose renderer is killed once is still served', async () => {
  const { ask } = await testService(temporary)
  await ask('/acme/guide/deep')
  for (const pid of childProcesses()) process.kill(pid, 'SIGSTOP')
  const page = ask('/acme/guide/logo')
  for (const pid of childProcesses()) process.kill(pid, 'SIGKILL')
  const { status, text } = await page
  assert.equal(status, 200)
  assert.match(text, /Keep it <em>clear<\/em>\./)
})

test('a page that cannot be rendered is shown as its source text', async () => {
  const { ask } = await testService(temporary)
  const { status, text } = await ask('/acme/guide/deep')
  assert.equal(status, 200)
  assert.match(text, /This page cannot be displayed: it is nested too deeply/)
})

test('a page with five headings or more has a list of them above its text', async () => {
  const { ask } = await testService(temporary)
  const { text } = await ask('/acme/guide/wide')
  assert.match(
    text,
    /<h1.*?<article [^>]*class="prose grid".*?<nav class="toc".*?<a href="#one">One<\/a>.*?<h2 id="one">/s,
  )
  assert.doesNotMatch((await ask('/acme/guide/few')).text, /class="toc"/)
})

test('three pages with the same description do not begin with it', async () => {
  const { ask } = await testService(temporary)
  const leads = ['a', 'd'].map(
    async id => /<p class="lead">.*?<\/p>/.exec((await ask(`/acme/guide/same/${id}`)).text)?.[0],
  )
  assert.deepEqual(await Promise.all(leads), ['<p class="lead">Text.</p>', '<p class="lead">Of two.</p>'])
})

/** The cards of a page, keyed by the text of their links. */
async function cards(path: string): Promise<ReadonlyMap<string, string>> {
  const { text } = await ask(path)
  const main = text.slice(text.indexOf('<article'), text.indexOf('</article>'))
  const blocks = main.split(/(?<!<div>)(?=<ul class="(?:tiles"|cards))|(?=<div><ul class="tiles)/).slice(1)
  const names = (block: string) => Array.from(block.matchAll(/<a [^>]*>(?:<span>)?([^<]+)</g), ([, name]) => name)
  return new Map(blocks.map(block => [names(block).join(', '), block]))
}

test('the links of a page become cards of their targets', async () => {
  const found = await cards('/acme/open')
  assert.match(found.get('Ink') ?? '', /fill="#14212b".*<p class="use">Letters<\/p>/)
  assert.ok(found.has('Ink, Paper, Red, Core, Other colours'), 'all colours')
  assert.match(found.get('Ink, Paper, Core') ?? '', /href="\/acme\/open\/-\/contrast\/ink"/)
  assert.match(
    found.get('Big, Plex') ?? '',
    /<div class="type-big" translate="no">Made &#x3C;b> to last<\/div>.*href="\/acme\/open\/-\/type#type-big">Big<\/a><\/p><p><bdi><a href="\/acme\/open\/-\/type\/plex">Plex<\/a><\/bdi> · weight\u00a0600, 48\u00a0px\u00a0\/\u00a01.1<\/p><p>This guide does not include Plex\./,
  )
  assert.match(
    found.get('Logo') ?? '',
    /<span class="face"><span class="plate ground-ink"><\/span><img src="[^"]*logo.svg" width="40" height="20" alt="".*\/-\/file\/[^"]*logo.svg">Logo<\/a><a [^>]*class="save" download [^>]*><\/a><p>SVG, /,
  )
  assert.match(found.get('Kit') ?? '', /href="\/acme\/open\/-\/kits\/logo.zip" download>Kit<\/a><p>ZIP, 2 files, /)
  assert.match(
    found.get('Everything') ?? '',
    /href="\/acme\/open\/-\/files.zip" download>Everything<\/a><p>ZIP, 5 files/,
  )
  assert.match(
    found.get('Cover') ?? '',
    /<li class="page"><span class="face"><span class="plate ground-ink"><\/span><img .*<p>About it<\/p>/,
  )
  assert.match(found.get('Red cover') ?? '', /<span class="face"><span class="plate ground-red">/)
  assert.match(found.get('Plain') ?? '', /<li class="page"><div><a href="\/acme\/open\/plain#part">Plain<\/a>/)
})

test('a page loads the fonts of the guide if a card shows a type style, and the style sheets of its kind', async () => {
  const sheets = async (path: string) =>
    Array.from((await ask(path)).text.matchAll(/<link rel="stylesheet" href="[^"]*\/([^"/]+)"/g), ([, name]) => name)
  assert.equal(`${await sheets('/acme/open')}`, 'site.css,pages.css,home.css,type.css,fonts.css,theme.css')
  for (const path of ['/acme/open/plain', '/acme/open/card'])
    assert.deepEqual(await sheets(path), ['site.css', 'pages.css', 'theme.css'], path)
  assert.deepEqual(await sheets('/acme/open/-/colors'), ['site.css', 'styles.css', 'theme.css'])
  for (const path of ['/acme', '/']) assert.deepEqual(await sheets(path), ['site.css', 'alone.css'], path)
  assert.deepEqual(await sheets('/docs'), ['site.css', 'docs.css'])
})

test('the card of a font shows its letters, and a white picture has a dark background', async () => {
  const { text } = await ask('/acme/open/fonts')
  const face = /<span class="face"><span class="font-letters (f-[0-9a-f]{12})" aria-hidden="true">Aa<\/span>/.exec(
    text,
  )?.[1]
  assert.ok(face)
  const sheet = /<link rel="stylesheet" href="([^"]+fonts\.css)">/.exec(text)?.[1] ?? ''
  assert.ok((await ask(sheet)).text.includes(`.${face}{font-family:`))
  assert.match(text, /<span class="plate ground-Dark"><\/span><img src="[^"]+plex-white\.svg"/)
})

test('a palette of very many colours shows the first ones, and each links to its page', async () => {
  const found = await cards('/acme/many')
  const [palette = ''] = found.values()
  assert.equal(palette.match(/<li class=/g)?.length, 48)
  assert.match(palette, /<a href="\/acme\/many\/-\/colors">All<\/a> 48\u00a0\/\u00a0600/)
  assert.match(found.get('Late') ?? '', /href="\/acme\/many\/-\/contrast\/blue-599"/)
})

test('a link within text also points to the place of the style in the list', async () => {
  const { text } = await ask('/acme/many/text')
  const main = text.slice(text.indexOf('<main'), text.indexOf('</article>'))
  const links = Array.from(main.matchAll(/href="\/acme\/many\/-\/([^"]+)"/g), ([, address]) => address)
  assert.deepEqual(links, [
    'colors#color-blue-598',
    'colors#color-blue-599',
    'colors#group-late',
    'type#type-type-500',
    'colors#color-blue-1',
  ])
})

test('the files for programs keep the page’s Markdown', async () => {
  const { text } = await ask('/acme/open.md')
  assert.match(text, /\n\[Ink\]\(http:\/\/brand.test\/acme\/open\/-\/colors#color-ink\)\n/)
})
