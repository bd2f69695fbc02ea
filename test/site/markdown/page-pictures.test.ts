import test from 'node:test'
import { assertRendered, EXTERNAL, LAZY } from './rendered.ts'

const LOGO_PATH = '/w/p/-/files/k/logo.svg'
const LOGO = `src="${LOGO_PATH}"`

test('a picture of the project has its size, and a default description from its file', () =>
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

test('an SVG of at least 400 pixels is a drawing, which fills its column, unless the page gives a size', () => {
  const plan = '/w/p/-/files/k/plan.svg'
  assertRendered([
    [`a ![b](${plan})`, `<p>a <img src="${plan}" alt="b" class="drawing" width="400" height="300" ${LAZY}></p>`],
    [`a <img src="${plan}" width="80">`, `<p>a <img src="${plan}" width="80" height="60" alt="" ${LAZY}></p>`],
  ])
})

test('a large photograph that is wider than high can fill the page, unless the page gives a size', () => {
  const html = (name: string, classes: string, height: number) =>
    `<p>a <img src="/w/p/-/files/k/${name}.jpg" alt="b"${classes} width="1600" height="${height}" srcset="${name}.webp 640w" sizes="auto, 100vw" ${LAZY}></p>`
  assertRendered([
    ['a ![b](/w/p/-/files/k/van.jpg)', html('van', ' class="large photo"', 900)],
    ['a ![b](/w/p/-/files/k/tall.jpg)', html('tall', ' class="large ratio-66"', 2400)],
    [
      'a <img src="/w/p/-/files/k/van.jpg" width="80">',
      `<p>a <img src="/w/p/-/files/k/van.jpg" width="80" height="45" alt="" ${LAZY}></p>`,
    ],
  ])
})

test('a picture from another site becomes a link and is not loaded', () =>
  assertRendered([
    ['![A chart](https://example.org/a.png)', `<p><a href="https://example.org/a.png" ${EXTERNAL}>A chart</a></p>`],
    [
      '![](https://example.org/a.png)',
      `<p><a href="https://example.org/a.png" ${EXTERNAL}>https://example.org/a.png</a></p>`,
    ],
    ['[![Built](https://example.org/a.svg)](/b)', '<p><a href="/b"><span>Built</span></a></p>'],
    ['![a](data:image/png;base64,AA)', '<p><span>a</span></p>'],
  ]))

test('a picture for light or dark pages is marked by its address or a source, as on GitHub', () => {
  const light = `<img src="/a.svg" alt="A" width="9" class="only-light" ${LAZY}>`
  const dark = `<img src="${LOGO_PATH}" alt="A" width="9" class="only-dark" height="3" ${LAZY}>`
  assertRendered([
    [`b ![A](/a.svg#gh-light-mode-only)`, `<p>b <img src="/a.svg" alt="A" class="only-light" ${LAZY}></p>`],
    [`b ![A](/a.svg#gh-dark-mode-only)`, `<p>b <img src="/a.svg" alt="A" class="only-dark" ${LAZY}></p>`],
    [picture(`<source media="(prefers-color-scheme: dark)" srcset="${LOGO_PATH}">`), `<p>b ${light}${dark}</p>`],
    [
      picture(
        `<source media="(prefers-color-scheme:light)" srcset="/a.svg"><source srcset="${LOGO_PATH}" media="(prefers-color-scheme: dark)">`,
      ),
      `<p>b ${light}${dark}</p>`,
    ],
  ])
})

test('a picture source may only name a single local address', () => {
  const plain = `<p>b <img src="/a.svg" alt="A" width="9" ${LAZY}></p>`
  const media = 'media="(prefers-color-scheme: dark)"'
  for (const source of [
    `<source ${media} srcset="https://example.org/b.svg">`,
    `<source ${media} srcset="//example.org/b.svg">`,
    `<source ${media} srcset="javascript:alert(1)">`,
    `<source ${media} srcset="/b.svg 2x">`,
    `<source ${media} srcset="/b.svg,/c.svg">`,
    `<source ${media} src="/b.svg">`,
    '<source media="(width < 40rem)" srcset="/b.svg">',
    '<source srcset="/b.svg">',
  ])
    assertRendered([[picture(source), plain]])
  assertRendered([['b <picture><source srcset="/b.svg"></picture>', '<p>b </p>']])
})

function picture(sources: string): string {
  return `b <picture>${sources}<img src="/a.svg" alt="A" width="9"></picture>`
}

test('video and audio of the project have controls, and load when played', () =>
  assertRendered([
    [
      '<video src="/a.mp4" autoplay muted width="100">b</video>',
      '<p><video muted width="100" src="/a.mp4" controls preload="metadata"></video></p>',
    ],
    [
      '<video><source src="/a.mp4" type="video/mp4"><source src="https://e.example/b"><track src="/c.vtt" kind="captions" srclang="en"></video>',
      '<p><video controls preload="metadata"><source src="/a.mp4" type="video/mp4"><track src="/c.vtt" kind="captions" srclang="en"></video></p>',
    ],
  ]))

test('video or audio from another site becomes a link and is not loaded', () =>
  assertRendered([
    [
      '<video src="https://example.org/a.mp4" title="A film"></video>',
      `<p><a href="https://example.org/a.mp4" ${EXTERNAL}>A film</a></p>`,
    ],
    ['<audio></audio>', '<p><span>Audio</span></p>'],
  ]))
