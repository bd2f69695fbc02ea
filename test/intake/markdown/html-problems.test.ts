import assert from 'node:assert/strict'
import test from 'node:test'
import { readMarkdown } from '#intake/markdown/markdown.ts'

function findingsOf(text: string): string[] {
  return readMarkdown(text).problems.map(({ rule, line, message }) => `${line} ${rule} ${message}`)
}

const NO_HTML = 'because it is not HTML: write the text in Markdown, or \\< to show the tag'

test('a tag that is not HTML is reported with the texts of its attributes', () => {
  assert.deepEqual(
    findingsOf(
      '<Card title="Shadow" href="/a b" text="No shadow here" />\n\nWrite to <brand name> here.\n\n<Tip>Text</Tip>\n',
    ),
    [
      `1 html-dropped the website omits the tag "<Card title=\\"Shadow\\" href=\\"/a b\\" text=\\"No shadow here\\" />" with its text "Shadow", "No shadow here", ${NO_HTML}`,
      `3 html-dropped the website omits the tag "<brand name>", ${NO_HTML}`,
      `5 html-dropped the website omits the tag "<Tip>", ${NO_HTML}`,
    ],
  )
})

test('a text in an attribute on a later line has a finding there', () => {
  const found = findingsOf('<Card\n  title="Shadow"\n  description="Do not add a shadow"\n/>\n')
  const seen = found.map(each => each.slice(0, 45))
  assert.deepEqual(seen, [
    '1 html-dropped the website omits the tag "<Ca',
    '2 html-dropped the website omits "Shadow", wh',
    '3 html-dropped the website omits "Do not add ',
  ])
})

test('an attribute with text that the website leaves out is reported', () => {
  assert.deepEqual(
    findingsOf(
      '<table summary="All colours">\n<tr><td>a</td></tr>\n</table>\n\n<button title="Press it">Go</button>\n\n<p data-tip="Ask us">a</p>\n',
    ),
    [
      '1 html-dropped the website omits "All colours", which is an attribute of <table>: write it as text',
      '5 html-dropped the website omits "Press it", which is an attribute of <button>: write it as text',
      '7 html-dropped the website omits "Ask us", which is an attribute of <p>: write it as text',
    ],
  )
})

test('a comment that is not closed, and marks of XML and PHP, are reported', () => {
  assert.deepEqual(findingsOf('<?php echo "Never stretch it" ?>\n\n<![CDATA[Keep it]]>\n\n<!-- open\n\n# Rest\n'), [
    '1 html-dropped the website omits "<?php echo \\"Never stretch it\\" ?>": write its text in Markdown, or \\< to show it',
    '3 html-dropped the website omits "<![CDATA[Keep it]]>": write its text in Markdown, or \\< to show it',
    '5 html-dropped the comment that begins here is not closed, so the text after it is not shown: write --> at its end',
  ])
})

test('Markdown in an HTML block is reported with the HTML for it', () => {
  const written: [string, string][] = [
    ['**x**', '<strong>…</strong>'],
    ['__x__', '<strong>…</strong>'],
    ['*x y*', '<em>…</em>'],
    ['~~x~~', '<del>…</del>'],
    ['[x](a.md)', '<a href="…">…</a>'],
    ['[x][a]', '<a href="…">…</a>'],
    ['![x](https://x.example/a.png)', '<img src="…" alt="…">'],
    ['`x`', '<code>…</code>'],
  ]
  for (const [markdown, html] of written) {
    const [found] = findingsOf(`<table>\n<tr><td>${markdown}</td></tr>\n</table>\n`).filter(each =>
      each.includes('html-'),
    )
    assert.match(`${found}`, /^2 html-markdown /, markdown)
    assert.ok(found?.includes(JSON.stringify(markdown)) && found.endsWith(`or write ${html}`), markdown)
  }
  for (const line of ['## x', '- x', '1. x', '> x', '```', '|---|---|'])
    assert.match(findingsOf(`<div>\n${line}\n</div>\n`).join(), /^2 html-markdown /, line)
})

test('HTML that the website keeps, code, and Markdown between blank lines give no finding', () => {
  for (const text of [
    '<details><summary>More</summary>\n\n**x** and [y](https://x.example)\n\n- z\n\n</details>',
    '<div title="a **b** c" lang="de">x</div>\n\n<center>a</center>\n\n<font color="red">b</font>',
    '<pre>\n**x**\n- y\n</pre>\n\n<div>\n<code>**x**</code> 2 * 3 * 4, snake_case_name, 5 - 3\n</div>',
    '`<Card title="x">` and \\<Card>\n\n    <Card>\n\n```\n<Card>\n```',
    '<img src="https://x.example/a.png" alt="Two words"> <!-- <Card> -->\n\n<td data-label="Colour name">x</td>',
    '<!doctype html>\n\n<https://x.example> <a@b.example> 1 < 2 > 0',
    '<div>\n<!-- **x** -->\n</div>',
  ])
    assert.deepEqual(findingsOf(text), [], text)
})
