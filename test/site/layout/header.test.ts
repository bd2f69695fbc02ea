import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import test from 'node:test'
import { servedBrand } from '../../support/service.ts'

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="12"/>\n'

/** Serves a public guide and returns a function that reads one of its pages. */
async function guideWith(project: string, contents: Record<string, string>) {
  const { ask } = await servedBrand({ 'guide/project.yaml': `visibility: public\n${project}`, ...contents })
  return async (path = '') => (await ask(`/acme/guide${path}`)).text
}

test('the header offers the logo that the theme names: a folder as an archive, or a file', async () => {
  const files = { 'guide/files/logo/print/a.svg': SVG, 'guide/pages/a.md': '# A\n' }
  const folder = await guideWith('theme: { download: files/logo/ }\n', files)
  assert.match(await folder('/a'), /<a class="get" href="\/acme\/guide\/-\/kits\/logo\.zip" download>Get the logo<\/a>/)
  const file = await guideWith('theme: { download: files/logo/print/a.svg }\n', files)
  assert.match(await file('/-/files'), /<a class="get" href="\/acme\/guide\/-\/files\/[^"]+\/a\.svg" download>/)
  assert.doesNotMatch(await (await guideWith('', files))('/a'), /class="get"/)
})

test('the theme switch has a name before its setting, and the search has its sign', async () => {
  const text = await (await guideWith('', { 'guide/pages/a.md': '# A\n' }))('/a')
  assert.match(text, /<button class="theme" type="button" data-label="Theme" data-auto="System"/)
  assert.match(text, /<form class="find".*?<svg [^>]+aria-hidden="true">/s)
  assert.match(text, /<header class="top sectioned">\n<a class="menu" href="#Menu">Menu<\/a>\n<a class="close" /)
})

test('pages without their version of the logo have the other one, on a plate if it does not stand out', async () => {
  const logo = async (key: string, fill: string) => {
    const drawn = SVG.replace('/>', `><path d="M6 3h12v6H6z" fill="${fill}"/></svg>`)
    return (await guideWith(`theme: { ${key}: files/a.svg }\n`, { 'guide/files/a.svg': drawn }))('')
  }
  const plate = (kind: string) => new RegExp(`<img class="logo[^"]* ${kind} trimmed logo-[^"]+" src="[^"]+/a\\.svg"`)
  assert.match(await logo('logoDark', '#fff'), plate('only-light ground-Dark'))
  assert.match(await logo('logo', '#14212b'), plate('only-dark ground-Light'))
  assert.match(await logo('logo', '#ef3340'), plate('only-dark'))
})

test('the header shows the drawing of a logo, and its letters in a legible size', async () => {
  const letters = [8, 14, 20].map(left => `<path d="M${left} 20h4v6h-4z"/>`).join('')
  const svg = (inside: string) => `<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48">${inside}</svg>`
  const sheetOf = async (inside: string) =>
    (await guideWith('theme: { logo: files/a.svg }\n', { 'guide/files/a.svg': svg(inside) }))('/-/theme.css')
  const rule = (margins: string, heights: string) => new RegExp(`\\.logo-\\w+\\{--aspect:1;${margins};${heights}`)
  const sides = '--top:0\\.41\\d;--right:0\\.5;--bottom:0\\.45\\d;--left:0\\.16\\d'
  assert.match(await sheetOf(letters), rule(sides, '--wide:2\\d\\dpx;--narrow:2\\d\\dpx}'))
  const tile = `<path fill="#1d70b8" d="M0 0h48v48H0z"/><g fill="#fff">${letters}</g>`
  assert.match(await sheetOf(tile), rule('--top:0\\.3\\d+;.*', '--wide:.*;--round:\\.25rem}'))
  assert.doesNotMatch(await sheetOf('<text y="20">Acme</text>'), /--aspect/)
})

test('the header lies on the ground of a cover on which the logo is legible, also above the pages of its section', async () => {
  const theme = (layout: string) =>
    `theme: { layout: ${layout}, logo: files/logo.svg, logoDark: files/white.svg, corners: soft }\n`
  const contents = {
    'guide/files/logo.svg': SVG,
    'guide/files/white.svg': SVG,
    'guide/styles/colors.yaml':
      '- { name: Ink, hex: "#14212b" }\n- { name: Signal, hex: "#cc3905" }\n- { name: Paper, hex: "#faf7f2" }\n',
    ...Object.fromEntries(
      ['ink', 'signal', 'paper'].flatMap(id => [
        [`guide/pages/${id}.md`, `---\nground: ${id}\n---\n# ${id}\n`],
        [`guide/pages/${id}/a.md`, `---\nground: ${id}\n---\n# A\n`],
      ]),
    ),
  }
  const [page, apart] = [await guideWith(theme('editorial'), contents), await guideWith(theme('docs'), contents)]
  for (const [id, logo] of [
    ['ink', 'white'],
    ['paper', 'logo'],
  ]) {
    const text = await page(`/${id}/a`)
    assert.match(text, new RegExp(`<header class="top sectioned ground-${id}">[^]*?<nav class="subnav ground-${id}"`))
    assert.match(text, new RegExp(`<a class="name"[^>]*><img class="logo[^"]*" src="[^"]+/${logo}\\.svg"`))
    assert.match(await apart(`/${id}/a`), /<header class="top">/)
  }
  assert.match(await page('/signal/a'), /<header class="top sectioned">/)
  const drawn = SVG.replace('/>', '><path d="M2 2h9v8H2z" fill="#fff"/></svg>')
  const white = await guideWith(theme('editorial'), { ...contents, 'guide/files/white.svg': drawn })
  const shown = await white('/signal/a')
  assert.match(shown, /<header class="top sectioned ground-signal">.*?<img [^>]*src="[^"]+\/white\.svg"/s)
  const own = { 'guide/files/logo-red.svg': SVG, 'guide/files/files.yaml': 'logo-red.svg: { ground: signal }\n' }
  const versions = await guideWith(theme('editorial'), { ...contents, ...own })
  const line = await versions('/signal/a')
  assert.match(line, /<header class="top sectioned ground-signal">.*?<img [^>]*src="[^"]+\/logo-red\.svg"/s)
})

const ACME = 'examples/acme/guidelines'
const project = 'nav: sections\n'
const styles = { 'guide/styles/colors.yaml': '- { name: Ink, hex: "#14212b" }\n' }
const pages = {
  'guide/pages/index.md': '# Home\n',
  'guide/pages/logo.md': '---\nnav: Mark\n---\n# Our logo\n',
  'guide/pages/logo/space.md': '# Space\n',
  'guide/pages/logo/misuse.md': '# Misuse\n',
  'guide/pages/logo/misuse/old.md': '# Old\n',
  'guide/pages/brand/voice.md': '# Voice\n',
  'guide/pages/print.md': '# Print\n',
}
const many = Object.fromEntries([1, 2, 3, 4, 5, 6].map(at => [`guide/pages/s${at}.md`, `# Section ${at}\n`]))
const readFew = await guideWith(project, { ...styles, ...pages })
const readMany = await guideWith(project, { ...styles, ...pages, ...many })

/** The links of a navigation by its class, as address, mark and name. */
function linksIn(text: string, name: string): string[] {
  const [nav = ''] = new RegExp(`<nav class="${name}[ "].*?</nav>`, 's').exec(text) ?? []
  return Array.from(nav.matchAll(/<a href="\/\w+\/guide([^"]*)"([^>]*)>([^<]*)/g), ([, path, mark, shown]) =>
    [path, mark?.replace(' aria-current=', ''), shown].join(' '),
  )
}

test('sections are in the header, with the current one marked, and their pages in a bar below it', async () => {
  const text = await readFew('/logo/misuse/old')
  const sections = '/brand/voice  Brand,/logo "true" Mark,/print  Print,/-/colors  Colours'
  assert.equal(`${linksIn(text, 'sections')}`, sections)
  assert.equal(`${linksIn(text, 'subnav')}`, '/logo  Mark,/logo/misuse "true" Misuse,/logo/space  Space')
  assert.deepEqual(linksIn(await readFew('/logo'), 'subnav')[0], '/logo "page" Mark')
  assert.match(await readFew('/-/contrast/ink'), /class="sections"/)
})

test('the bar below the header begins with the page of its section, and repeats nothing else of the header', async () => {
  const files = globSync(`${ACME}/**/*.md`).map(path => [path.replace(ACME, 'guide'), readFileSync(path, 'utf8')])
  const acme = await guideWith(project, Object.fromEntries(files))
  for (const text of [await readFew('/brand/voice'), await readMany('/logo/space'), await acme('/logo/misuse')]) {
    const pathsIn = (name: string) => linksIn(text, name).map(link => link.split(' ')[0])
    const repeated = pathsIn('subnav').filter(path => pathsIn('sections').includes(path))
    assert.deepEqual(repeated, pathsIn('subnav').slice(0, 1))
  }
})

test('the bar below the header is one row: pages that do not fit are under More', async () => {
  const below = Object.fromEntries(
    [1, 2, 3, 4, 5, 6, 7, 8].map(at => [`guide/pages/logo/form${at}.md`, `# The form ${at}`]),
  )
  const text = await (await guideWith(project, { ...pages, ...below }))('/logo/form8')
  const [shown = '', more = ''] = text
    .slice(text.indexOf('<nav class="subnav'))
    .split('<summary aria-current="true">More')
  assert.match(shown, /<li><a [^>]+>The form 2<\/a><\/li>\n<li class="late"><a/)
  assert.match(more, /^<\/summary><ul>\n<li class="moved">.*<li><a [^>]+ aria-current="page">The form 8</s)
})

test('a shortened name in a menu has its whole title as the name of its link', async () => {
  const title = 'How to use the logo in print and on screens'
  const page = await guideWith(project, { ...pages, 'guide/pages/print.md': `# ${title}\n` })
  assert.match(await page(), new RegExp(`/print" title="${title}" aria-label="${title}">How to use the logo</a>`))
})

test('the home page has no list of pages at its side, only the menu of narrow windows', async () => {
  const text = await readFew()
  assert.doesNotMatch(text, /class="side"|class="subnav"/)
  assert.match(text, /<nav class="sheet" id="Menu"/)
  assert.deepEqual(linksIn(await readFew('/print'), 'subnav'), [])
})

test('the header has at most seven sections, and the others are under More, also those for which a narrow window has no space', async () => {
  const text = await readMany()
  const [shown = '', more = ''] = text.split('<summary>More</summary>')
  assert.equal(linksIn(`${shown}</nav>`, 'sections').length, 7)
  assert.match(more, /^<ul>\n<li class="moved"><a href="\/acme\/guide\/s2".*<li><a [^>]+\/-\/colors">Colours</s)
  assert.match(shown, /<li><a [^>]+>Section 1<\/a><\/li>\n<li class="late"><a [^>]+>Section 2<\/a>/)
  assert.doesNotMatch(await readFew(), /<summary>More/)
  assert.match(await readMany('/-/colors'), /<summary aria-current="true">More<\/summary>/)
})

test('a guide with files has them in the header, and other sections under More', async () => {
  const read = await guideWith(project, { ...styles, ...pages, ...many, 'guide/files/a.svg': SVG })
  const [shown = '', more = ''] = (await read()).split('<summary>More</summary>')
  assert.deepEqual(linksIn(`${shown}</nav>`, 'sections').slice(5), ['/s3  Section 3', '/-/files  Files'])
  assert.doesNotMatch(more.split('</nav>')[0] ?? '', /\/-\/files"/)
  assert.match(more, /\/-\/colors"/)
})
