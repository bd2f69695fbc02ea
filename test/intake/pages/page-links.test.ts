import assert from 'node:assert/strict'
import test from 'node:test'
import { openCaches } from '#platform/caches/caches.ts'
import { importFolder } from '#publishing/import/import.ts'
import { publish } from '#publishing/publish.ts'
import { contentWithAddresses, createAddresses } from '#serving/addresses.ts'
import { openPublications } from '#serving/publications/publications.ts'
import { findProject } from '#store/catalogue/catalogue.ts'
import { openStore } from '#store/store.ts'
import { findingLines, ruleLines } from '../../support/problems.ts'
import { type Contents, folderWith, temporaryFolder } from '../../support/temporary.ts'
import { READ_OPTIONS, read } from '../reading.ts'

const URL_OF = 'https://brand.example/acme/acme'

/** The contents of pages in pages/guide in the API, with the keys in file addresses as `KEY`. */
async function publishedContents(pages: readonly string[], more: Contents = {}): Promise<(string | undefined)[]> {
  const written = Object.fromEntries(pages.map((page, at) => [`pages/guide/here-${at}.md`, page]))
  const folder = await folderWith({ ...written, ...SITE, ...more })
  const store = await openStore(await temporaryFolder())
  const now = new Date()
  await importFolder(store, folder, { ...READ_OPTIONS, isDryRun: false, now: () => now })
  await publish(store, { workspace: 'acme', project: 'acme' }, {}, now)
  const publication = openPublications(store.database, openCaches())(await findProject(store.database, 'acme', 'acme'))
  assert.ok(publication)
  const addresses = createAddresses('https://brand.example', store.identity.fileSecret)
  const published = await publication.content.pages()
  const contents = pages.map(async (_, at) => {
    const page = published.get(`guide/here-${at}`)
    return page && (await contentWithAddresses(publication, page, addresses))
  })
  const found = await Promise.all(contents)
  await store.close()
  return found.map(content => content?.replace(/\/-\/files\/[\w-]{32}\//g, '/-/files/KEY/'))
}

const SITE: Contents = {
  'pages/index.md': '# Home\n',
  'pages/logo.md': '# Logo\n',
  'pages/logo/misuse.md': '# Misuse\n',
  'pages/logo/clear.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'pages/guide/index.md': '# Guide\n',
  'pages/guide/Größe & Maß.md': '# Size\n',
  'pages/guide/pinned.md': '---\nid: elsewhere\n---\nText\n',
  'files/a b/cafe\u0301 (1).txt': 'nfd',
  'files/mark.txt': 'x',
  'styles/colors.yaml':
    '- { name: Ink, hex: "000" }\n- { name: Brand / Sky, hex: "00f" }\n- { name: Grün, hex: "0f0", group: Plants }\n- { name: Teal, hex: "0ff", group: Sea & Sky }\n- { id: plants, name: Leaf, hex: "0f1" }\n',
  'styles/types.yaml': '- name: Heading 1\n',
}

const logo = `${URL_OF}/logo`
const cafe = `${URL_OF}/-/files/KEY/cafe%CC%81%20%281%29.txt`
const COLORS = `${URL_OF}/-/colors`
const TYPE = `${URL_OF}/-/type`
const links: [written: string, served: string][] = [
  ['[a](../logo.md)', `[a](${logo})`],
  ['[a](/logo.md#x)', `[a](${logo}#x)`],
  ['[a](..)', `[a](${URL_OF})`],
  ['[a](./pinned.md)', `[a](${URL_OF}/elsewhere)`],
  ['[a](../logo/misuse.md?q=1&r#part "A \\"title\\"")', `[a](${logo}/misuse?q=1&r#part "A \\"title\\"")`],
  ["[a]( <../logo.md>  'title' )", `[a]( <${logo}>  'title' )`],
  ['[a](Gr%C3%B6%C3%9Fe%20&amp;%20Ma%C3%9F.md)', `[a](${URL_OF}/guide/grosse-mass)`],
  ['[a](<Größe & Maß.md>)', `[a](${URL_OF}/guide/grosse-mass)`.replace('(', '(<').replace(')', '>)')],
  ['[a](<Gro\u0308ße & Maß.md>)', `[a](<${URL_OF}/guide/grosse-mass>)`],
  ['[a](../../files/a%20b/caf%C3%A9%20\\(1\\).txt)', `[a](${cafe})`],
  ['[a](<../../files/a b/cafe\u0301 (1).txt>)', `[a](<${cafe}>)`],
  ['![alt *text*](../logo/clear.svg)', `![alt *text*](${URL_OF}/-/files/KEY/clear.svg)`],
  ['[![x](../logo/clear.svg)](../logo.md)', `[![x](${URL_OF}/-/files/KEY/clear.svg)](${logo})`],
  ['[a][r] and [r]\n\n[r]:   ../logo.md   "t"\n', `[a][r] and [r]\n\n[r]:   ${logo}   "t"\n`],
  ['<a class=x href="../logo.md#y">a</a>', `<a class=x href="${logo}#y">a</a>`],
  ["<img alt='' src=../logo/clear.svg />", `<img alt='' src=${URL_OF}/-/files/KEY/clear.svg />`],
  ["<p>\n<a href = '../logo.md'>a</a>\n</p>", `<p>\n<a href = '${logo}'>a</a>\n</p>`],
  [
    '| [a](../logo.md) | b |\n|---|---|\n| ![](../../files/mark.txt) | `[x](../logo.md)` |',
    `| [a](${logo}) | b |\n|---|---|\n| ![](${URL_OF}/-/files/KEY/mark.txt) | \`[x](../logo.md)\` |`,
  ],
  ['[a](../../styles/colors.yaml)', `[a](${COLORS})`],
  ['[a](../../styles/colors.yaml#ink "t")', `[a](${COLORS}#color-ink "t")`],
  ['[a](../../styles/colors.yaml#%67run)', `[a](${COLORS}#color-grun)`],
  ['[a](../../styles/colors.yaml?raw=1#brand)', `[a](${COLORS}#group-brand)`],
  ['[a](../../styles/colors.yaml?stage#brand)', `[a](${COLORS}?stage#group-brand)`],
  ['[a](<../../styles/types.yaml?stage>)', `[a](<${TYPE}?stage>)`],
  ['[a](../logo/clear.svg?stage "t")', `[a](${URL_OF}/-/files/KEY/clear.svg?stage "t")`],
  ['[a](../../styles/colors.yaml#sea-sky)', `[a](${COLORS}#group-sea-sky)`],
  ['[a](../../styles/colors.yaml#plants)', `[a](${COLORS}#color-plants)`],
  ['[a](<../../styles/colors.yaml#>)', `[a](<${COLORS}>)`],
  ['[a](../../styles/types.yaml)', `[a](${TYPE})`],
  ['[a](../../styles/types.yaml\\#heading-1)', `[a](${TYPE}#type-heading-1)`],
  [
    '[a][r] and [r]\n\n[r]: <../../styles/colors.yaml#brand> (t)\n',
    `[a][r] and [r]\n\n[r]: <${COLORS}#group-brand> (t)\n`,
  ],
  ["<a href='../../styles/types.yaml#heading&#45;1'>a</a>", `<a href='${TYPE}#type-heading-1'>a</a>`],
  ['[a](../../files) ![b](../../files/)', `[a](${URL_OF}/-/files.zip) ![b](${URL_OF}/-/files.zip)`],
  ['[a](<../../files/a b/#x> "t")', `[a](<${URL_OF}/-/kits/a%20b.zip#x> "t")`],
  ['<a href="../../files/a%20b">a</a>', `<a href="${URL_OF}/-/kits/a%20b.zip">a</a>`],
  [
    'Text\n\n    {% figure %}\n    ![a](../logo/clear.svg)\n    {% endfigure %}\n',
    `Text\n\n    {% figure %}\n    ![a](${URL_OF}/-/files/KEY/clear.svg)\n    {% endfigure %}\n`,
  ],
  ['\ufeff---\r\ntitle: x\r\n---\r\n\r\n  [a](../logo.md)  \r\n\r\n\r\n', `\n  [a](${logo})  \n\n\n`],
]
const untouched = [
  '    ![a](../logo/clear.svg)\n',
  '    {% figure %} `![a](../logo/clear.svg)`\n',
  '`[a](../../styles/colors.yaml#ink)` ``../../files/``',
  '    [a](../../styles/colors.yaml#ink)\n',
  '```\n[a](../../files/)\n```\n',
  '`[a](../logo.md)`',
  '```\n[a](../logo.md)\n<a href="../logo.md">\n```\n',
  '    [a](../logo.md)\n',
  '[a](#x) [b](?q) [c]() [d](https://example.com/logo.md) [e](mailto:a@b.c) [f](//example.com/x) [g](tel:1)',
  '[a](/nothing/here) <a href="/neither">x</a>',
  '\\[a](../logo.md) <!-- [a](../logo.md) <a href="../logo.md"> -->',
  ' trailing  \n\n\n\tand tabs\u00a0\u200b\n',
  '',
]

test('in the content of a page, each valid relative link gets an absolute address, and the rest is unchanged', async () => {
  const expected = links.map(([, served]) => served)
  assert.deepEqual(await publishedContents(links.map(([written]) => written)), expected)
})

test('in the content of a page, code, escaped links, other links and other text are unchanged byte for byte', async () => {
  assert.deepEqual(await publishedContents(untouched), untouched)
})

test('a link that is broken only by upper and lower case is reported with its correct form', async () => {
  const { findings } = await read({
    'pages/Guide/here.md': '[a](Other.md) ![b](../../Files/Über.SVG) ![c](./B.svg) ![d](in.svg)\n',
    'pages/Guide/other.md': '# A\n',
    'pages/guide/in.svg': '<svg/>',
    'files/u\u0308ber.svg': '<svg/>',
  })
  const nowhere = 'matches no page or file in the project'
  const messages = findings.filter(({ rule }) => rule === 'link-broken').map(({ message }) => message)
  assert.deepEqual(messages, [
    `the link "Other.md" ${nowhere}; did you mean "other.md"?`,
    `the picture "../../Files/Über.SVG" ${nowhere}; did you mean "../../files/u\u0308ber.svg"?`,
    `the picture "./B.svg" ${nowhere}; correct its path, or add the file`,
    `the picture "in.svg" ${nowhere}; did you mean "../guide/in.svg"?`,
  ])
})

const elsewhere: [written: string, meant: string][] = [
  ['![a](../files/logo.svg)', '../../../files/logo.svg'],
  ['![a](../../../../../files/logo.svg)', '../../../files/logo.svg'],
  ['<img src="files/logo.svg">', '../../../files/logo.svg'],
  ["<a href='../misuse.md#x'>m</a>", '../../logo/misuse.md'],
  ['[k]\n\n[k]: misuse.md "t"', '../../logo/misuse.md'],
  ['[m](misuse)', '../../logo/misuse'],
  ['[k](<My Kit (1).zip>)', '../../../files/kits/my%20kit%20%281%29.zip'],
  ['[k](../files/kits/)', '../../../files/kits/'],
  ['[c](../styles/colors.yaml#ink)', '../../../styles/colors.yaml'],
  ['[h](../index.md)', '../../index.md'],
  ['[two](b/same.txt)', '../../../files/b/same.txt'],
  ['[k](..\\..\\..\\files\\kits)', '../../../files/kits'],
  ['<img src=“../../../files/logo.svg”>', '../../../files/logo.svg'],
]
for (const [written, meant] of elsewhere)
  test(`the broken link ${written} suggests ${meant}`, async () => {
    const { findings } = await read({
      'pages/guide/deep/here.md': `# Here\n\n${written}\n`,
      'pages/index.md': '# Home\n',
      'pages/logo/misuse.md': '# Misuse\n',
      'files/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
      'files/kits/my kit (1).zip': '',
      'files/a/same.txt': 'a',
      'files/b/same.txt': 'b',
      'styles/colors.yaml': '- { name: Ink, hex: "000" }\n',
    })
    const rules = findings.map(({ rule }) => rule)
    assert.deepEqual(rules, ['link-broken'])
    assert.match(findings[0]?.message ?? '', new RegExp(`did you mean "${RegExp.escape(meant)}"\\?$`))
  })

test('in the content of a page, a link that is broken or leaves the project is kept, with a warning at its line', async () => {
  const page =
    '---\ntitle: x\n---\n\n[a](gone.md)\n![b](../../../secret.txt)\n<img src="no.png">\n[d](../../project.yaml)\n'
  const { findings } = await read({ 'pages/guide/here.md': page, ...SITE })
  const nowhere = 'matches no page or file in the project; correct its path, or add the file'
  assert.deepEqual(findingLines(findings), [
    `pages/guide/here.md:5 warning link-broken: the link "gone.md" ${nowhere}`,
    `pages/guide/here.md:6 warning link-broken: the picture "../../../secret.txt" ${nowhere}`,
    `pages/guide/here.md:7 warning link-broken: the picture "no.png" ${nowhere}`,
    `pages/guide/here.md:8 warning link-broken: the link "../../project.yaml" ${nowhere}`,
  ])
  assert.deepEqual(await publishedContents([page]), [page.slice('---\ntitle: x\n---\n'.length)])
})

test('in the content of a page, a link to a missing style points to the whole list, with a warning at its line', async () => {
  const page =
    '---\ntitle: x\n---\n\n[a](../../styles/colors.yaml#gone)\n\n<a href="../../styles/types.yaml#gone%20too">b</a>\n'
  const { findings } = await read({ 'pages/guide/here.md': page, ...SITE })
  assert.deepEqual(findingLines(findings), [
    'pages/guide/here.md:5 warning link-style-missing: the link "../../styles/colors.yaml#gone" names no colour or colour group, so it links to the whole list: write an id after #, or remove the #',
    'pages/guide/here.md:7 warning link-style-missing: the link "../../styles/types.yaml#gone too" names no type style, so it links to the whole list: write an id after #, or remove the #',
  ])
  assert.deepEqual(await publishedContents([page]), [`\n[a](${COLORS})\n\n<a href="${TYPE}">b</a>\n`])
})

test('a link that misspells ?stage, or to something without a stage, is reported with its line, and other queries are not', async () => {
  const page = `[a](../logo/clear.svg?Stage) [b](../../styles/colors.yaml?stage=1#ink) [c](../logo/clear.svg?v=2)

[d](../logo.md?stage) [e](../../files/mark.txt?stage) [f](../logo/clear.svg?stage) [g](../../styles/types.yaml?stage)
`
  const { findings } = await read({ 'pages/guide/here.md': page, ...SITE })
  const none = 'asks for a stage, which only pictures, colours and type have: remove "?stage"'
  assert.deepEqual(findingLines(findings), [
    'pages/guide/here.md:1 warning link-stage: the link "../../styles/colors.yaml?stage=1" shows no stage: did you mean "../../styles/colors.yaml?stage"?',
    'pages/guide/here.md:1 warning link-stage: the link "../logo/clear.svg?Stage" shows no stage: did you mean "../logo/clear.svg?stage"?',
    `pages/guide/here.md:3 warning link-stage: the link "../../files/mark.txt?stage" ${none}`,
    `pages/guide/here.md:3 warning link-stage: the link "../logo.md?stage" ${none}`,
  ])
})

test('a project without styles or files has no lists and folders to link to', async () => {
  const page = '[a](../styles/colors.yaml) [b](../styles/types.yaml#x) [c](../files/) [d](../files/files.yaml)\n'
  const { findings } = await read({ 'pages/a.md': page, 'files/files.yaml': '' })
  assert.deepEqual(ruleLines(findings), Array(4).fill('link-broken 1'))
})

test('a picture or a link that begins at the root of the project is broken, and the finding shows its relative path', async () => {
  const { findings } = await read({
    'pages/index.md':
      '![Mark](/files/mark.svg) [Logo](/pages/logo/index.md) [gone](/files/gone.svg) [other](/beta/workspace/x)\n',
    'pages/logo/index.md': '![Mark](/files/mark.svg)\n',
    'files/mark.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  })
  const seen = findings.map(({ path, rule, message }) => [path, rule, message.split('; ')[1]])
  assert.deepEqual(seen, [
    ['pages/index.md', 'link-broken', 'correct its path, or add the file'],
    ['pages/index.md', 'link-broken', 'did you mean "../pages/logo/index.md"?'],
    ['pages/index.md', 'link-broken', 'did you mean "../files/mark.svg"?'],
    ['pages/logo/index.md', 'link-broken', 'did you mean "../../files/mark.svg"?'],
  ])
})

test('a misspelt link, heading or style is reported with a suggestion', async () => {
  const { findings } = await read({
    'pages/index.md': '[a](lgoo.md) [b](logo.md#logo-usge) [c](../styles/colors.yaml#inkk) [d](unlike-any.md)\n',
    'pages/logo.md': '# Logo\n\n## Logo usage\n',
    'styles/colors.yaml': '- { name: Ink, hex: "#16202c" }\n',
  })
  assert.deepEqual(findings.map(({ rule, message }) => [rule, /did you mean .*$/.exec(message)?.[0]]).toSorted(), [
    ['link-broken', undefined],
    ['link-broken', 'did you mean "logo.md"?'],
    ['link-heading-missing', 'did you mean "logo.md#logo-usage"?'],
    ['link-style-missing', 'did you mean "../styles/colors.yaml#ink"?'],
  ])
})

test('a path with a leading slash that matches nothing is broken, unless the service serves it', async () => {
  const served = `
    / /-/edit /docs /beta/workspace/acme /acme /acme/acme /acme/acme/ /acme/acme/logo /acme/acme/logo.md
    /acme/acme/-/colors /acme/acme/llms.txt /schemas/colors.json /acme/-/edit /openapi.json
  `
    .trim()
    .split(/\s+/)
  const broken = `
    /img/mark.svg /imprint /logo.mdx/ /other/acme /acme/gone/x /Logo.md /file.pdf /assets/team.jpg /docs/intro
    /events /schemas/ /acme/acme/logos /acme/acme/img/mark.svg
  `
    .trim()
    .split(/\s+/)
  const links = [...served, ...broken].map(path => `[x](${path})\n`).join('\n')
  const { findings } = await read({
    'pages/index.md': `${links}\n<a href="/en/press">press</a>\n`,
    'pages/logo.md': '# Logo\n',
    'files/img/mark.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
  })
  const seen = findings.map(({ rule, message }) => [rule, /^the link "([^"]*)"/.exec(message)?.[1]])
  const expected = [...broken, '/en/press'].map(path => ['link-broken', path])
  assert.deepEqual(seen, expected)
  assert.match(findings[0]?.message ?? '', /did you mean "\.\.\/files\/img\/mark\.svg"\?/)
  assert.match(findings[2]?.message ?? '', /did you mean "\.\.\/pages\/logo\.md"\?/)
  assert.match(findings[5]?.message ?? '', /did you mean "\.\.\/pages\/logo\.md"\?/)
})
