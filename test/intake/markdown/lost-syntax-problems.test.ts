import assert from 'node:assert/strict'
import test from 'node:test'
import { lines, read } from '../reading.ts'

const lost: [written: string, line: number, rule: string, message: RegExp][] = [
  ['```css\na {}\n\nText\n', 3, 'fence-open', /write ``` on a separate line/],
  ['~~~~\na {}\n~~~\n', 3, 'fence-open', /write ~~~~ on a separate line/],
  ['- a\n\n  ```\n  b\n- c\n', 5, 'fence-open', /write ```/],
  ['> ```\n> a\n\nText\n', 3, 'fence-open', /write ```/],
  ['```css\na {}\n\nText\n\n```js\nb()\n```\n', 3, 'fence-open', /write ```/],
  ['##Do\n', 3, 'heading-space', /as in "## Do"$/],
  ['Text\n###Don’t do it\n', 4, 'heading-space', /as in "### Don’t do it"$/],
  [
    '##\u00a0Do\n',
    3,
    'heading-space',
    /write a normal space after the ##, as in "## Do" \(they look the same, .* U\+00A0 /,
  ],
  ['##\u3000見出し\n', 3, 'heading-space', /as in "## 見出し" \(they look the same, .* U\+3000 /],
  ['> - ##Do\n', 3, 'heading-space', /as in "## Do"$/],
  ['-\u00a0Do\n', 3, 'list-space', /"- Do" is text, not an item of a list: write a normal space after the -$/],
  ['> *\u202fDo\n', 3, 'list-space', /after the \*$/],
  ['Text\n  +\u2007Do\n', 4, 'list-space', /after the \+$/],
  ['・\n-\u3000する\n', 4, 'list-space', /"- する"/],
  ['1.\u00a0Do\n\ntext 2.\u00a0a\n\n2)\u00a0Do\n', 3, 'list-space', /after the 1\.$/],
  ['- [x]\u00a0Done\n', 3, 'list-space', /after the \[x\]$/],
  ['| a | b |\n| c | d |\n', 3, 'table-rule', /write \|---\|---\| below the first line$/],
  ['Text\n| a | b |\n|—|—|\n| c | d |\n', 4, 'table-rule', /write \|---\|---\| as the second line$/],
  ['> | a | b \\| c |\n> |---|\n', 3, 'table-rule', /write \|---\|---\| as/],
  ['| a |\n|---|\n| b |\n\n| c |\n| d |\n', 7, 'table-rule', /remove the blank line above/],
]
for (const [written, line, rule, message] of lost)
  for (const end of ['\n', '\r\n'])
    test(`${JSON.stringify(written.replaceAll('\n', end))} is reported at line ${line}`, async () => {
      const { findings } = await read({ 'pages/a.md': `# A\n\n${written}`.replaceAll('\n', end) })
      assert.equal(lines(findings)[0], `pages/a.md:${line} warning ${rule}`)
      assert.match(findings[0]?.message ?? '', message)
    })

for (const written of [
  '```md\n    ```js\n    a()\n    ```\n```\n\nText\n',
  '````md\n```js\nb\n```\n````\n',
  '~~~\n```\n##Do\n| a |\n| b |\n~~~\n',
  '- a\n\n  ```\n  b\n  ```\n',
  '`##Do`\n\n    ##Do\n\n<!--\n##Do\n\n| a |\n| b |\n-->\n',
  '#brand\n\n#ff0000\n\n#a #b\n\n\\##Do\n\n#######\n',
  '| a |  \n|---|\n| b |\n',
  '|x| is one\n\n| a |\n',
  '1.\u00a0Januar 2027\n\n–\u00a0Text\n\n`-\u00a0a`\n\n    -\u00a0a\n',
])
  test(`${JSON.stringify(written)} is not reported`, async () => {
    assert.deepEqual((await read({ 'pages/a.md': `# A\n\n${written}` })).findings, [])
  })

test('a title of a page without a space after its # is reported, but not a colour or hashtags', async () => {
  assert.deepEqual(lines((await read({ 'pages/a.md': '#Logo\n\nText\n' })).findings), [
    'pages/a.md:1 warning heading-space',
  ])
  for (const written of ['#c0ffee\n', '#acme #brand\n', '#1\n'])
    assert.deepEqual((await read({ 'pages/a.md': written })).findings, [])
})

test('links to a lost heading, or to a heading in an unclosed fence, are not reported', async () => {
  const { findings } = await read({
    'pages/a.md': '# A\n\n##Do it\n',
    'pages/b.md': '# B\n\n```\nb\n\n## Code\n',
    'pages/c.md': '[a](a.md#do-it) [b](b.md#code) [c](a.md#gone)\n',
  })
  assert.deepEqual(lines(findings), [
    'pages/a.md:3 warning heading-space',
    'pages/b.md:3 warning fence-open',
    'pages/c.md:1 warning link-heading-missing',
  ])
})

test('a page with many lost headings has ten findings', async () => {
  assert.equal((await read({ 'pages/a.md': '##Do\n\n'.repeat(1000) })).findings.length, 10)
})
