import assert from 'node:assert/strict'
import test from 'node:test'
import { findCycles, findForbiddenImports, findInnerCycles } from './modules.ts'

const AWAY = 'let program/compose pass it in, or move the shared code up'
const KEEP = 'use or add a function there, or take the value as an argument'

const CASES: readonly [path: string, text: string, problems: readonly string[]][] = [
  ['src/brand/a.ts', "import type { B } from './b.ts'", []],
  ['src/brand/a.ts', "import { readFile } from 'node:fs/promises'\nimport pino from 'pino'", []],
  ['src/intake/a.ts', "import { B } from '#brand/b.ts'\nimport { log } from '#platform/telemetry/log.ts'", []],
  ['src/intake/a.ts', "import type { Settings } from '#platform/settings/settings.ts'", []],
  ['src/program/cli/a.ts', "import { SETTINGS } from '#platform/settings/settings.ts'", []],
  ['src/main.ts', "import { run } from './program/cli/run.ts'", []],
  ['src/program/http/a.ts', "import { createServer } from 'node:http'", []],
  ['src/platform/outgoing/a.ts', "  const { request } = await import('node:http')", []],
  ['src/brand/a.ts', "// import { x } from '#store/x.ts'\nexport const b = 'from'", []],
  [
    'src/brand/a.ts',
    "import {\n  one,\n  two as three,\n} from '#store/open.ts'",
    [`src/brand/a.ts imports src/store/open.ts, but brand may not import store: ${AWAY}`],
  ],
  [
    'src/platform/exchange/a.ts',
    "export type X = { a: 1 }\nexport type { Y } from '#brand/y.ts'",
    [`src/platform/exchange/a.ts imports src/brand/y.ts, but platform may not import brand: ${AWAY}`],
  ],
  [
    'src/delivery/api/a.ts',
    "  const x = await import('#program/http/serve.ts')",
    [`src/delivery/api/a.ts imports src/program/http/serve.ts, but delivery may not import program: ${AWAY}`],
  ],
  [
    'src/intake/a.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a source file
    'new Worker(new URL(`../site/worker${extension}`, import.meta.url))',
    [`src/intake/a.ts imports src/site/worker.ts, but intake may not import site: ${AWAY}`],
  ],
  [
    'src/store/a.ts',
    "import '#program/compose/compose.ts'",
    [`src/store/a.ts imports src/program/compose/compose.ts, but store may not import program: ${AWAY}`],
  ],
  [
    'src/serving/a.ts',
    "import { SETTINGS, type Settings } from '#platform/settings/settings.ts'",
    [
      `src/serving/a.ts imports src/platform/settings/settings.ts, which only src/platform/settings/ and src/program/ may import: ${KEEP}`,
    ],
  ],
  [
    'src/delivery/api/a.ts',
    "import { createServer } from 'node:http'",
    [
      `src/delivery/api/a.ts imports node:http, which only src/program/http/ and src/platform/outgoing/ may import: ${KEEP}`,
    ],
  ],
  [
    'src/site/a.ts',
    "import { b } from '../brand/b.ts'\nimport { c } from '#site/c.ts'",
    [
      'src/site/a.ts imports ../brand/b.ts: write #brand/b.ts, as for every other group',
      'src/site/a.ts imports #site/c.ts: write a relative path within a group',
    ],
  ],
  ['src/attic/a.ts', '', ['src/attic/a.ts is in no group: move it, or add attic to GROUPS']],
  ['src/toString/a.ts', '', ['src/toString/a.ts is in no group: move it, or add toString to GROUPS']],
]

for (const [path, text, problems] of CASES) {
  const verdict = problems.length === 0 ? 'may contain' : 'may not contain'
  test(`${path} ${verdict}: ${text.replaceAll('\n', ' ')}`, () => {
    assert.deepEqual(findForbiddenImports([{ path, text }]), problems)
  })
}

test('an import cycle is reported once with all its paths', () => {
  const advice = 'move the shared code into a separate file'
  const files = [
    { path: 'src/brand/a.ts', text: "import { b } from './b.ts'" },
    { path: 'src/brand/b.ts', text: "import { c } from './c.ts'\nimport { d } from './d.ts'" },
    { path: 'src/brand/c.ts', text: "import type { B } from './b.ts'" },
    { path: 'src/brand/d.ts', text: '' },
  ]
  assert.deepEqual(findCycles(files), [`src/brand/b.ts → src/brand/c.ts → src/brand/b.ts: ${advice}`])
  assert.deepEqual(findCycles(files.filter(({ path }) => path !== 'src/brand/c.ts')), [])
})

test('a cycle among submodules is reported, two levels deep', () => {
  const advice = 'move the shared code into one of them, or into a third'
  const files = [
    { path: 'src/site/library/type/a.ts', text: "import { b } from '../previews.ts'" },
    {
      path: 'src/site/library/previews.ts',
      text: "import { c } from './type/c.ts'\nimport { d } from '../pages/d.ts'",
    },
    { path: 'src/site/library/type/c.ts', text: '' },
    { path: 'src/site/pages/d.ts', text: '' },
  ]
  const [type, previews] = ['src/site/library/type', 'src/site/library/previews.ts']
  assert.deepEqual(findInnerCycles(files), [`${type} → ${previews} → ${type}: ${advice}`])
  const back = { path: 'src/site/pages/d.ts', text: "import { a } from '../library/type/a.ts'" }
  assert.equal(findInnerCycles([...files.slice(0, 3), back]).length, 2)
})
