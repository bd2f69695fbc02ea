import { fc } from '../../support/random.ts'

/*
 * Markdown pages for tests. `@` becomes a word that occurs once, in one of several scripts, and `#.` the beginning of a
 * file name that occurs once.
 */

const inline = fc.constantFrom(
  ...'@¦@ @¦*@*¦**@ @**¦_@_¦~~@~~¦***@***¦`@`¦`` @ ` @ ``¦\\*@\\*¦@ & @¦&amp;¦&copy;@¦&#8364;¦&nosuch;¦@&nbsp;@'.split(
    '¦',
  ),
  ...'[@](#.md)¦[*@* @](#.md "@")¦[@](<# #.md> \'@\')¦[@](#.md (@))¦[@](../#.md#f)¦[@](#%20.md?q)¦[@](\\(#.md)'.split(
    '¦',
  ),
  ...'[@][r]¦[r]¦[R][]¦[@][undefined]¦[@]¦[@ [@]](#.md)¦[@](#. md)¦![@](#.png)¦![@ *@*](#.png "@")¦![@][p]'.split('¦'),
  ...'[![@](#.png)](#.md)¦<https://x.example/@>¦https://x.example/@ ¦<@@x.example>¦www.@.example ¦[@](https://x.example)'.split(
    '¦',
  ),
  ...'<b>@</b>¦<kbd>@</kbd>¦@<br>@¦<img src="#.png" alt="@">¦<a href=\'#.md\'>@</a>¦<!-- @ -->¦<span title="@">@</span>'.split(
    '¦',
  ),
  ...'@\\\n@¦@  \n@¦@\n@¦@\t@¦[^1]¦@(@)¦1. @¦- @¦# @¦@|@¦@ <5 @¦*@¦@*¦`@¦[@¦@](#.md)¦"@"¦{{ @ }}¦@: @'.split('¦'),
)
const line = fc.array(inline, { minLength: 1, maxLength: 5 }).map(parts => parts.join(' '))
const flat = line.map(text => text.replace(/\s*\n/g, ' '))
const cell = flat.map(text => text.replaceAll('|', '\\|'))
const row = fc.tuple(cell, cell).map(cells => `| ${cells.join(' | ')} |`)

const FIXED = [
  `# ${'🎨 long '.repeat(30)}@`,
  '***',
  '---',
  '[r]: #.md "@"',
  '[p]: <#.png>',
  '[r]:\n#.md',
  '[^1]: @ [@](#.md)\n\n    @',
  '<div>\n@\n</div>',
  '<div>\n\n*@*\n\n</div>',
  '<a href="#.md">\n@ *@*\n</a>',
  '<details><summary>@</summary>\n\n@\n\n</details>',

  '<p align="center"><img src="#.png" alt="@"></p>',
  '<table><tr><td>@</td><td>@</td></tr></table>',
  '<pre>\n@\n\n@</pre>',

  '<script>\n"@"\n\n"@"\n</script>',
  '<style>\n.@ {}\n</style>',
  '<!--\n@\n\n[@](#.md)\n-->',
  '<h2 id="@">@ <em>@</em></h2>',

  '<!-- full -->\n\n![@](#.png)',
  '<!-- columns: 2 -->\n\n- @\n- @',
  '<!-- ground: ink -->\n\n@\n\n<!-- /ground -->',
  '<!-- split -->\n![@](#.png)\n\n@',
  '> [!NOTE]\n> @',
  '[@](#.webm "loop")',
  '`@`\n: @',
  '\\# @',
  '@\n  @\n\t@',
]

const { block } = fc.letrec<{ block: string; blocks: string }>(tie => ({
  block: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    line,
    fc.constantFrom(...FIXED),
    fc.tuple(fc.constantFrom('#', '##', '###'), flat).map(([marks, text]) => `${marks} ${text}`),
    flat.map(text => `## ${text} ##`),
    fc.tuple(line, fc.constantFrom('===', '---')).map(parts => parts.join('\n')),
    fc
      .tuple(fc.constantFrom('```', '~~~ js', '````'), line)
      .map(([fence, text]) => `${fence}\n${text}\n\n# @\n${fence.slice(0, 4).trim()}`),
    line.map(text => `    ${text.replaceAll('\n', '\n    ')}\n\n    @`),
    line.map(text => `\t${text.replaceAll('\n', '\n\t')}`),
    fc.tuple(row, row, row).map(([head, ...rows]) => [head, '|---|:-:|', ...rows].join('\n')),
    tie('blocks').map(text => within('> ', '> ', text)),
    tie('blocks').map(text => within('- ', '  ', text)),
    tie('blocks').map(text => within('1. ', '   ', text)),
    tie('blocks').map(text => within('* [x] ', '  ', text)),
    fc.array(flat, { minLength: 2, maxLength: 3 }).map(items => items.map(item => `- ${item}`).join('\n')),
  ),
  blocks: fc.array(tie('block'), { minLength: 1, maxLength: 3 }).map(blocks => blocks.join('\n\n')),
}))

function within(first: string, rest: string, blocks: string): string {
  return `${first}${blocks.replaceAll('\n', `\n${rest}`)}`
}

/** A page of generated blocks. */
export const generatedPage = fc
  .tuple(fc.array(block, { minLength: 1, maxLength: 5 }), fc.constantFrom('\n', '\r\n'))
  .map(([blocks, end]) => {
    let count = 0
    const page = blocks.join('\n\n')
    // A page shows only footnotes that it refers to.
    const used = page.includes('[^1]:') ? `${page}\n\nz [^1]` : page
    const text = used.replace(/@|#\./g, mark => (mark === '@' ? uniqueWord(count++) : `f${count++}.`))
    return text.replaceAll('\n', end)
  })

const SCRIPTS = ['w', 'w', 'w', 'Größe', 'слово', 'שלום', 'كلمة']

function uniqueWord(count: number): string {
  return `${SCRIPTS[count % SCRIPTS.length]}${count}`
}
