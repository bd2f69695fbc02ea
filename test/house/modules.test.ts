import assert from 'node:assert/strict'
import test from 'node:test'
import { findCycles, findForbiddenImports, findInnerCycles } from './modules.ts'

const away = 'let compose pass it in, or move the shared code to a lower module'
const keep = 'use or add a function of http or outgoing'

const CASES: readonly [path: string, text: string, problems: readonly string[]][] = [
  ['src/brand/a.ts', "import type { B } from './b.ts'", []],
  ['src/brand/a.ts', "import { readFile } from 'node:fs/promises'\nimport pino from 'pino'", []],
  ['src/intake/a.ts', "import { B } from '../brand/b.ts'\nimport { log } from '../telemetry/log.ts'", []],
  ['src/intake/a.ts', "import type { Settings } from '../settings/settings.ts'", []],
  ['src/cli/a.ts', "import { SETTINGS } from '../settings/settings.ts'", []],
  ['src/main.ts', "import { run } from './cli/run.ts'", []],
  ['src/http/a.ts', "import { createServer } from 'node:http'", []],
  ['src/outgoing/a.ts', "  const { request } = await import('node:http')", []],
  ['src/brand/a.ts', "// import { x } from '../store/x.ts'\nexport const b = 'from'", []],
  [
    'src/brand/a.ts',
    "import { open } from '../store/open.ts'",
    [`src/brand/a.ts imports src/store/open.ts, but brand may not import store: ${away}`],
  ],
  [
    'src/brand/a.ts',
    "import {\n  one,\n  two as three,\n} from '../store/open.ts'",
    [`src/brand/a.ts imports src/store/open.ts, but brand may not import store: ${away}`],
  ],
  [
    'src/exchange/a.ts',
    "export type X = { a: 1 }\nexport type { Y } from '../brand/y.ts'",
    [`src/exchange/a.ts imports src/brand/y.ts, but exchange may not import brand: ${away}`],
  ],
  [
    'src/api/a.ts',
    "  const x = await import('../http/serve.ts')",
    [`src/api/a.ts imports src/http/serve.ts, but api may not import http: ${away}`],
  ],
  [
    'src/site/a.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a source file
    'new Worker(new URL(`../intake/font-worker${extension}`, import.meta.url))',
    [`src/site/a.ts imports src/intake/font-worker.ts, but site may not import intake: ${away}`],
  ],
  [
    'src/store/a.ts',
    "import '../compose/compose.ts'",
    [`src/store/a.ts imports src/compose/compose.ts, but store may not import compose: ${away}`],
  ],
  [
    'src/serving/a.ts',
    "import { SETTINGS, type Settings } from '../settings/settings.ts'",
    [`src/serving/a.ts imports src/settings/settings.ts, but serving may not import settings: ${away}`],
  ],
  [
    'src/brand/a.ts',
    "import type { Settings } from '../settings/settings.ts'",
    [`src/brand/a.ts imports src/settings/settings.ts, but brand may not import settings: ${away}`],
  ],
  [
    'src/api/a.ts',
    "import { createServer } from 'node:http'",
    [`src/api/a.ts imports node:http, which only http and outgoing may import: ${keep}`],
  ],
  ['src/attic/a.ts', '', ['src/attic/a.ts is in no module: move it, or add attic to MODULES']],
  ['src/toString/a.ts', '', ['src/toString/a.ts is in no module: move it, or add toString to MODULES']],
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
