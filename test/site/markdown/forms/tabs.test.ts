import test from 'node:test'
import { assertRendered } from '../rendered.ts'

const written = (name: string, label: string, more = '') =>
  `<details name="${name}"${more}>\n<summary>${label}</summary>\n\n*x*\n\n</details>\n\n`
const panel = (name: string, label: string, more = '') =>
  `<details name="user-content-${name}"${more}>\n<summary>${label}</summary>\n<p><em>x</em></p>\n</details>`
const tabs = (...panels: string[]) => `<div class="tabs">${panels.join('')}</div>`

test('adjacent details with the same name are tabs, one of them open', () =>
  assertRendered([
    [written('a', 'A') + written('a', 'B'), tabs(panel('a', 'A', ' open'), panel('a', 'B'))],
    [
      written('a', 'A') + written('a', 'B', ' open') + written('a', 'C', ' open'),
      tabs(panel('a', 'A'), panel('a', 'B', ' open'), panel('a', 'C')),
    ],
    [
      `${written('a', 'A')}${written('a', 'B')}c\n\n${written('b', 'A')}${written('b', 'B')}`,
      `${tabs(panel('a', 'A', ' open'), panel('a', 'B'))}\n<p>c</p>\n${tabs(panel('b', 'A', ' open'), panel('b', 'B'))}`,
    ],
    [
      `<div>\n\n${written('a', 'A')}${written('a', 'B')}</div>`,
      `<div>\n${tabs(panel('a', 'A', ' open'), panel('a', 'B'))}\n</div>`,
    ],
  ]))

test('details with different names, other content between them, no label or no neighbour are not tabs', () =>
  assertRendered([
    [written('a', 'A') + written('b', 'B'), `${panel('a', 'A')}\n${panel('b', 'B')}`],
    [`${written('a', 'A')}c\n\n${written('a', 'B')}`, `${panel('a', 'A')}\n<p>c</p>\n${panel('a', 'B')}`],
    [
      '<details name="a">x</details><details name="a">y</details>',
      '<details name="user-content-a">x</details><details name="user-content-a">y</details>',
    ],
    [
      '<details><summary>A</summary></details><details><summary>B</summary></details>',
      '<details><summary>A</summary></details><details><summary>B</summary></details>',
    ],
  ]))
