import assert from 'node:assert/strict'
import test from 'node:test'

import { readMarkdown } from '#intake/markdown/markdown.ts'
import { lines, read } from '../reading.ts'

/** Links and callouts of Obsidian with the end of the message about them. */
const OBSIDIAN: readonly (readonly [text: string, advice: string])[] = [
  ['![[mark.png]]', 'write ![what it shows](../files/mark.png), or a link'],
  ['![[mark.png|300]]', 'write ![what it shows](../files/mark.png), or a link'],
  ['Read [[voice]].', 'write [voice](voice.md)'],
  ['> [[our voice#Tone of voice|tone]]', 'write [tone](our%20voice.md#tone-of-voice)'],
  ['[[#Tone]]', 'write [Tone](#tone)'],
  [
    '> [!danger]- Never stretch it\n> The mark',
    'write [!NOTE], [!TIP], [!IMPORTANT], [!WARNING] or [!CAUTION] alone on the first line, and a title in bold below it',
  ],
]

test('a wiki link or callout is a finding that says what to write', () => {
  for (const [text, advice] of OBSIDIAN) {
    const [first, ...others] = readMarkdown(`Text\n\n${text}\n`).problems
    assert.deepEqual([first?.rule, first?.line, others], ['template-tag', 3, []], text)
    assert.ok(first?.message.endsWith(` is Obsidian syntax, which has no effect here: ${advice}`), first?.message)
  }
})

test('a link without text is a finding, because readers cannot see it', () => {
  const [first, ...others] = readMarkdown('Text\n\n[](https://acme.example)\n').problems
  const message = 'the link has no text, so readers cannot see it: write its text between the brackets'
  assert.deepEqual([first, others], [{ rule: 'template-tag', line: 3, message }, []])
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

test('no syntax is found in code, HTML, addresses, other dialects and ordinary text', () => {
  const constructs = [...OBSIDIAN.map(([text]) => text), '[](https://acme.example)']
  const coded = constructs.flatMap(text => [
    `\`\`\`\`\n${text}\n\`\`\`\``,
    `<pre>\n${text.replaceAll('\n\n', '\n')}\n</pre>`,
  ])
  const spans = constructs.filter(text => !text.includes('\n') && !text.includes('`')).map(text => `Write \`${text}\`.`)
  const ordinary = [
    'Use ==only this==.\n\n!!! note "Print"\n    Text\n\n:::tip\n\nText\n\n:::\n\nH~2~O, 10 m^2^ and ++ctrl++',
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
  const { problems } = readMarkdown('![[a]] [[b]]\n\n'.repeat(12))
  assert.equal(problems.length, 22)
})

test('a finding has the line of the file below the front matter', async () => {
  const { findings } = await read({ 'pages/a.md': '---\ntitle: A\n---\n\n[[a]]\n' })
  assert.deepEqual(lines(findings), ['pages/a.md:5 warning template-tag'])
})
