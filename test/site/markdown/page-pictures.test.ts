import test from 'node:test'
import { assertRendered, EXTERNAL, LAZY } from './rendered.ts'

const LOGO = 'src="/w/p/-/files/k/logo.svg"'

test('a picture of the project has its size, and its description if the page gives none', () =>
  assertRendered([
    [`a ![b](/w/p/-/files/k/logo.svg)`, `<p>a <img ${LOGO} alt="b" width="300" height="100" ${LAZY}></p>`],
    [
      `a ![](/w/p/-/files/k/logo.svg?v=1#x)`,
      `<p>a <img src="/w/p/-/files/k/logo.svg?v=1#x" alt="The logo" width="300" height="100" ${LAZY}></p>`,
    ],
    [
      'a ![](/w/p/-/files/k/plain.png)',
      `<p>a <img src="/w/p/-/files/k/plain.png" alt="" width="40" height="20" ${LAZY}></p>`,
    ],
    ['a ![b](missing.png)', `<p>a <img src="missing.png" alt="b" ${LAZY}></p>`],
    [`a <img ${LOGO} width="60">`, `<p>a <img ${LOGO} width="60" height="20" alt="The logo" ${LAZY}></p>`],
    [`a <img ${LOGO} height="50">`, `<p>a <img ${LOGO} height="50" width="150" alt="The logo" ${LAZY}></p>`],
    [`a <img ${LOGO} width="50%">`, `<p>a <img ${LOGO} width="50%" alt="The logo" ${LAZY}></p>`],
  ]))

test('a picture that is a paragraph is a figure, with its title as the caption', () =>
  assertRendered([
    ['![a](b.png "The *c*")', `<figure><img src="b.png" alt="a" ${LAZY}><figcaption>The *c*</figcaption></figure>`],
    ['![a](b.png)', `<figure><img src="b.png" alt="a" ${LAZY}></figure>`],
    [
      '[![a](b.png "c")](/d)',
      `<figure><a href="/d"><img src="b.png" alt="a" ${LAZY}></a><figcaption>c</figcaption></figure>`,
    ],
    ['![a](b.png) ![c](d.png)', `<p><img src="b.png" alt="a" ${LAZY}> <img src="d.png" alt="c" ${LAZY}></p>`],
    ['> ![a](b.png)', `<blockquote>\n<figure><img src="b.png" alt="a" ${LAZY}></figure>\n</blockquote>`],
    [
      '<figure>\n\n![a](b.png)\n\n<figcaption>c</figcaption>\n</figure>',
      `<figure>\n<p><img src="b.png" alt="a" ${LAZY}></p>\n<figcaption>c</figcaption>\n</figure>`,
    ],
  ]))

test('a picture of another site becomes a link to it, and is not loaded', () =>
  assertRendered([
    ['![A chart](https://example.org/a.png)', `<p><a href="https://example.org/a.png" ${EXTERNAL}>A chart</a></p>`],
    [
      '![](https://example.org/a.png)',
      `<p><a href="https://example.org/a.png" ${EXTERNAL}>https://example.org/a.png</a></p>`,
    ],
    ['[![Built](https://example.org/a.svg)](/b)', '<p><a href="/b"><span>Built</span></a></p>'],
    ['![a](data:image/png;base64,AA)', '<p><span>a</span></p>'],
  ]))
