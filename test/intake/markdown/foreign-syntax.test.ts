import assert from 'node:assert/strict'
import test from 'node:test'

import { readMarkdown } from '#intake/markdown/markdown.ts'
import { lines, read } from '../reading.ts'

/** Syntax of other programs with the end of the message about it. */
const SYNTAX: Readonly<Record<string, readonly [text: string, advice: string][]>> = {
  Obsidian: [
    ['![[mark.png]]', 'write ![what it shows](../files/mark.png), or a link'],
    ['![[mark.png|300]]', 'write ![what it shows](../files/mark.png), or a link'],
    ['Read [[voice]].', 'write [voice](voice.md)'],
    ['> [[our voice#Tone of voice|tone]]', 'write [tone](our%20voice.md#tone-of-voice)'],
    ['[[#Tone]]', 'write [Tone](#tone)'],
    ['Use ==only this== colour.', 'write <mark>…</mark>'],
    [
      '> [!danger]- Never stretch it\n> The mark',
      'write [!NOTE], [!TIP], [!IMPORTANT], [!WARNING] or [!CAUTION] alone on the first line, and a title in bold below it',
    ],
    ['![Mark|200](mark.png)', 'write <img src="…" alt="…" width="200">'],
    ['Keep it clear. ^rule-1', 'end a heading with {#…}, and link to that'],
    ['%% Open', 'close the comment with %%; its text is published'],
  ],
  'MkDocs or pymdownx': [
    [
      '!!! warning "Print"\n    Text',
      'write > [!WARNING] on a separate line, and > before each line of the text, without indentation',
    ],
    [
      '- ??? note "More"',
      'write <details><summary>…</summary>, a blank line, the text without its indentation, and </details>',
    ],
    [
      '=== "Screen"\n\n    Text',
      'for each tab, write <details name="…"><summary>…</summary>, a blank line, the text without its indentation, and </details>',
    ],
    ['[TOC]', 'remove it; the website lists the headings'],
    ['[[toc]]', 'remove it; the website lists the headings'],
    ['--8<-- "rules.md"', 'write the text of that file'],
    ['Press ++ctrl+alt+del++.', 'write <kbd>…</kbd>'],
    ['A ^^new^^ word', 'write <ins>…</ins>'],
    ['/// tip | Title', 'write > [!TIP] on a separate line, and > before each line of the text, without indentation'],
    ['A {++new++} word', 'write only the final text'],
  ],
  'MkDocs, GitHub or Slack': [[':material-check: Yes', 'write the character itself, such as ✓, or a picture']],
  'Docusaurus, VitePress or Starlight': [
    [
      ':::tip Spacing\n\nText\n\n:::',
      'write > [!TIP] on a separate line, and > before each line of the text, without indentation, and remove the ::: below',
    ],
    [
      '::: details More',
      'write <details><summary>…</summary>, a blank line, the text without its indentation, and </details>',
    ],
    ['::youtube[Film]', 'write its result'],
    ['Press :kbd[Enter] now', 'write its text, or HTML'],
    ['<<< @/snippets/colour.css', 'write the code of that file'],
    ['By {props.author}', 'write the value itself'],
    ['@[youtube](abc)', 'link to it in a separate paragraph'],
  ],
  'MyST or Sphinx': [
    ['(clear-space)=\n# Space', 'end the heading below with {#clear-space}'],
    ['See {doc}`logo`.', 'write a relative link, as in [Logo](logo.md), or only the text'],
    ['See :ref:`logo`.', 'write a relative link, as in [Logo](logo.md), or only the text'],
    ['a\n\n+++\n\nb', 'remove it'],
    [
      '.. note:: Keep it',
      'write > [!NOTE] on a separate line, and > before each line of the text, without indentation',
    ],
    ['[](https://acme.example)', 'write the text of the link between the brackets'],
  ],
  GitHub: [
    ['10~20 px, 30~40 px', 'write ~~…~~ to strike it out, or \\~ for the sign itself'],
    ['10~20px、30~40px', 'write ~~…~~ to strike it out, or \\~ for the sign itself'],
    ['| 1월~3월, 9월~12월 |\n|---|', 'write ~~…~~ to strike it out, or \\~ for the sign itself'],
    ['Not ~this\none~', 'write ~~…~~ to strike it out, or \\~ for the sign itself'],
  ],
  Pandoc: [
    [
      '::: {.warning}\nText\n:::',
      'write > [!WARNING] on a separate line, and > before each line of the text, without indentation, and remove the ::: below',
    ],
    ['Text^[A note.]', 'write [^1], and [^1]: … in a separate paragraph'],
    ['H~2~O', 'write <sub>…</sub>'],
    ['10 m^2^', 'write <sup>…</sup>'],
    ['Text [@doe99; @roe01]', 'write a footnote or a link'],
    ['+---+---+\n| a | b |\n+---+---+', 'write a table with | between its cells, and |---|---| below the first line'],
    ['#. First', 'write 1.'],
    ['(@good) First', 'write 1.'],
    ['% Guide\n\nText', 'write title: … in front matter, between --- lines'],
    ['$$\na^2\n$$', 'write the formula as code, or show a picture of it'],
    ['A ratio of $a=b\\phi$ is good', 'write the formula as code, or show a picture of it'],
    ['\\newpage', 'remove it'],
    ['## Imprint {-}', 'remove it'],
  ],
  'kramdown or Python-Markdown': [
    ['*[HTML]: Hyper Text', 'write <abbr title="…">…</abbr> around the word'],
    ['Term\n:   What it means', 'write <dl><dt>…</dt><dd>…</dd></dl>, or a list'],
    [
      '![Mark](mark.png){ width=100 align=left }',
      'remove it; for the size of a picture, write <img src="…" alt="…" width="200">',
    ],
    ['[Get it](a.zip)\n{width=20}', 'remove it; for the size of a picture, write <img src="…" alt="…" width="200">'],
    ['[Get it](a.zip){ .button }', 'remove it; for the size of a picture, write <img src="…" alt="…" width="200">'],
    ['![Mark](mark.png =120x48)', 'write <img src="…" alt="…" width="200">'],
  ],
  Docsify: [
    ['!> Keep it', 'write > [!NOTE] on a separate line, and > before each line of the text, without indentation'],
  ],
}

test('syntax of other programs is a finding that names the program and what to write', () => {
  for (const [program, rows] of Object.entries(SYNTAX))
    for (const [text, advice] of rows) {
      const [first, ...others] = readMarkdown(`Text\n\n${text}\n`.replace('Text\n\n% ', '% ')).problems
      assert.deepEqual([first?.rule, others], ['template-tag', []], text)
      assert.ok(
        first?.message.endsWith(` is ${program} syntax, which has no effect here: ${advice}`),
        `${first?.message}`,
      )
      assert.equal(
        first?.line,
        text.startsWith('% ')
          ? 1
          : text.startsWith('a\n')
            ? 5
            : text.startsWith('Term') || text.includes('\n{')
              ? 4
              : 3,
      )
    }
})

test('parts of a fence, a rule and a comment that mean something elsewhere are findings', () => {
  for (const text of [
    '```{warning} Print\nText\n```',
    '~~~ css title="button.css"\na\n~~~',
    '```js [config.js]\na\n```',
    '```{=latex}\n\\pagebreak\n```',
    'A   B\n--- ---\n1   2',
    '<!--@include: ./rules.md-->',
  ])
    assert.match(readMarkdown(text).problems[0]?.message ?? '', / has a part that is not shown here: write /, text)
})

test('no syntax is found in code, HTML, addresses and ordinary text', () => {
  const constructs = Object.values(SYNTAX).flatMap(rows => rows.map(([text]) => text))
  const coded = constructs.flatMap(text => [
    `\`\`\`\`\n${text}\n\`\`\`\``,
    `<pre>\n${text.replaceAll('\n\n', '\n')}\n</pre>`,
  ])
  const spans = constructs.filter(text => !text.includes('\n') && !text.includes('`')).map(text => `Write \`${text}\`.`)
  const ordinary = [
    'C++ and C++ code, i++ and ++i; a == b == c, or x==y and y==z',
    'At 12:30:45, ratio 3:1:2, note: this; 100 %% of 50 %%, Dear %%FIRST_NAME%%',
    '!!! Never !!!\n\nWrite \\[[a]]; from $HOME/a_b to $PATH; US$ 5 = A$ 7',
    'Wow!!! What??? Really!!!\n\nSee figure [1], [[1]](#a) and [a][b], or array[0][1].\n\n# A {#a}',
    '~~old~~ and x~~y~~z; about ~5 mm, ~10 mm and 2^10; CO2, 5 ^ 2; e-mail [a@b.example]',
    '{first name} and {name}, {.5em}, {a: b}, { }, {#} and {2}; a {=} b; $5 and $10; $$$',
    'https://x.example/a==b==c/:x:/~y~z~/^a^ and <https://x.example/[[a]]/H~2~O>',
    '[a](https://x.example/==b==/) ![Logo | on Ink](https://x.example/a.png)',
    '> [!NOTE]\n> Text\n\n> [!warning]\n> Text\n\n- [x] done\n- [ ] open\n\n1. a\n\n---\n\n***\n\n- - -',
    '| a | b |\n|---|:-:|\n| +1 | :) |\n\n"Quote": text: more (a)= b, ::before and :hover, ***x***\n\n<div title="==a==">x</div>',
    'A note (see below)\n=\n\nText\n---\n\n3 > 2 ! > x; ?; +++ more; < <<< x',
  ]
  for (const text of [...coded, ...spans, ...ordinary]) {
    const unexpected = readMarkdown(text).problems.filter(({ rule }) => rule === 'template-tag')
    assert.deepEqual(unexpected, [], text)
  }
})

test('each kind of syntax has at most ten findings on a page, and one that counts the rest', () => {
  const { problems } = readMarkdown('==a== [[b]]\n\n'.repeat(12))
  assert.equal(problems.length, 22)
})

test('a finding has the line of the file below the front matter', async () => {
  const { findings } = await read({ 'pages/a.md': '---\ntitle: A\n---\n\n==a==\n' })
  assert.deepEqual(lines(findings), ['pages/a.md:5 warning template-tag'])
})
