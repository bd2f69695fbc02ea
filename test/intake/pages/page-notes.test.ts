import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { golden } from '#test/support/golden.ts'
import { folderFacts, lines, read } from '../reading.ts'

golden('intake/pages/page-notes', folderFacts)

const photo = readFileSync(new URL('../../../examples/acme/guidelines/files/film/ident.jpg', import.meta.url))
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="20"/>'
const FILES = {
  'files/a.svg': SVG,
  'files/p.jpg': photo,
  'files/a.webm': Buffer.from([0x1a, 0x45, 0xdf, 0xa3]),
  'styles/colors.yaml': '- { name: Ink, hex: "000" }\n- { name: Red, hex: "c00" }\n',
  'pages/covered.md': '---\ncover: ../files/p.jpg\n---\n# Covered\n',
}

/** The lines with findings of a page with other layout comments. */
async function findingsOn(text: string): Promise<string[]> {
  const page = `---\nwide: true\n---\n# A\n\n<!-- wide -->\n${text}\n`
  const { findings } = await read({ ...FILES, 'pages/index.md': page })
  return lines(findings)
}

const WIDE: Readonly<Record<string, string>> = {
  'a film': '[Film](../files/a.webm "loop")',
  'a picture of a film': '![Film](../files/a.webm)',
  'a large photograph': '![A](../files/p.jpg)',
  'several pictures': '![A](../files/a.svg) ![A](../files/a.svg)',
  'a list of pictures': '- ![A](../files/a.svg)\n- ![A](../files/a.svg)',
  'a palette': '[All](../styles/colors.yaml)',
  colours: '- [Ink](../styles/colors.yaml#ink)\n- [Red](../styles/colors.yaml#red)',
  'colours with shares': '- [Ink](../styles/colors.yaml#ink) 60 %\n- [Red](../styles/colors.yaml#red) 40 %',
  'several files': '- [A](../files/a.svg)\n- [B](../files/p.jpg)',
  'several covered pages': '- [A](covered.md)\n- [B](covered.md)',
  'a table with verdicts': '| Do | Don’t |\n|---|---|\n| a | b |',
  'a table with pictures': '| a | b |\n|---|---|\n| ![A](../files/a.svg) | c |',
  'a table of five columns': '| a | b | c | d | e |\n|---|---|---|---|---|\n| a | b | c | d | e |',
  'sections in columns': '<!-- columns: 2 -->\n## A\n\n## B',
}
for (const [what, text] of Object.entries(WIDE))
  test(`"wide" before ${what}, which reaches the wide edge by itself, is a finding on its line`, async () =>
    assert.deepEqual(await findingsOn(text), ['pages/index.md:6 warning layout-comment']))

const NARROW: Readonly<Record<string, string>> = {
  'a drawing': '![A](../files/a.svg)',
  'a single file': '- [A](../files/a.svg)',
  'pages of which one has no cover': '- [A](covered.md)\n- [B](index.md)',
  'a list of text': '- a\n- b',
  'links with text': '- [A](../files/a.svg) is a file\n- [B](../files/p.jpg)',
  'a small table': '| a | b |\n|---|---|\n| c | d |',
  'a quotation': '> a',
}
for (const [what, text] of Object.entries(NARROW))
  test(`"wide" before ${what} gives no finding`, async () => assert.deepEqual(await findingsOn(text), []))

test('without other layout comments, the first "wide" has an effect, since the page loses its list of headings', async () => {
  const film = '<!-- wide -->\n[Film](../files/a.webm)\n\n'
  const found = async (page: string) => lines((await read({ ...FILES, 'pages/index.md': page })).findings)
  assert.deepEqual(await found(`# A\n\n## B\n\n## C\n\n${film}`), [])
  assert.deepEqual(await found(`# A\n\n## B\n\n## C\n\n${film}${film}`), ['pages/index.md:10 warning layout-comment'])
  assert.deepEqual(await found(`# A\n\n${film}`), ['pages/index.md:3 warning layout-comment'])
})
