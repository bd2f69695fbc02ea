import assert from 'node:assert/strict'
import test from 'node:test'
import { openCaches } from '#platform/caches/caches.ts'
import { importFolder } from '#publishing/import/import.ts'
import { publish } from '#publishing/publish.ts'
import { contentWithAddresses, createAddresses } from '#serving/addresses.ts'
import { openPublications } from '#serving/publications/publications.ts'
import { findProject } from '#store/catalogue/catalogue.ts'
import { openStore } from '#store/store.ts'
import { golden } from '../../support/golden.ts'
import { findingLines } from '../../support/problems.ts'
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

golden('intake/pages/page-links', async ({ files }: { files: Contents }) => findingLines((await read(files)).findings))
