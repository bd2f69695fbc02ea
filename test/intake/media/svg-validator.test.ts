import assert from 'node:assert/strict'
import test from 'node:test'
import { mediaFolder } from '../media-files.ts'

const { read } = await mediaFolder()
const START = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">'

const wrong: [what: string, svg: string, error: string][] = [
  ['an element that is not closed', `${START}<g>\n<path/></svg>`, 'line 2: unexpected close tag'],
  ['an end that is missing', `${START}<path/>`, 'line 1: unclosed tag: svg'],
  ['an attribute without quotes', `${START}<path d=M0/></svg>`, 'line 1: unquoted attribute value'],
  ['a lone ampersand', `${START}<text>A & B;</text></svg>`, 'line 1: disallowed character in entity name'],
  ['an entity of HTML', `${START}<text>&nbsp;</text></svg>`, 'line 1: undefined entity'],
  [
    'a prefix that is not declared',
    `${START}<use xlink:href="#a"/></svg>`,
    'line 1: unbound namespace prefix: "xlink"',
  ],
  ['no namespace', '<svg width="9" height="9"><path/></svg>', '<svg> has no xmlns="http://www.w3.org/2000/svg"'],
]
for (const [what, svg, error] of wrong)
  test(`an SVG with ${what} keeps its size, and a finding says that browsers cannot show it`, async () => {
    const { metadata, problems } = await read('logo.svg', svg)
    assert.deepEqual(metadata, { width: 9, height: 9 })
    assert.deepEqual(
      problems.map(({ rule, line }) => [rule, line]),
      [['picture-damaged', null]],
    )
    assert.ok(problems[0]?.message.includes(error), `${error}: ${problems[0]?.message}`)
  })

const right: [what: string, svg: string][] = [
  [
    'entities of its DOCTYPE',
    `<!DOCTYPE svg [<!ENTITY ns "http://www.w3.org/2000/svg">]><svg xmlns="&ns;"><text>&ns;</text></svg>`,
  ],
  ['a prefix for its own elements', '<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:path/></s:svg>'],
  [
    'elements of an editor',
    `${START.replace('>', ' xmlns:sodipodi="http://example.com/"><sodipodi:namedview/>')}</svg>`,
  ],
  ['more than 4 MiB', `${START}${'<path d="M0 0"/>'.repeat(300_000)}</svg>`],
]
for (const [what, svg] of right)
  test(`an SVG with ${what} has no finding`, async () => assert.deepEqual((await read('logo.svg', svg)).problems, []))
