import assert from 'node:assert/strict'
import test from 'node:test'
import { circles, innerCircles, misplaced } from './rooms.ts'

const away = 'have compose hand it in, or move what both need down'
const keep = 'ask for what you need there'

const CASES: readonly [path: string, text: string, said: readonly string[]][] = [
  ['src/brand/a.ts', "import type { B } from './b.ts'", []],
  ['src/brand/a.ts', "import { readFile } from 'node:fs/promises'\nimport pino from 'pino'", []],
  ['src/intake/a.ts', "import { B } from '../brand/b.ts'\nimport { log } from '../telemetry/log.ts'", []],
  ['src/intake/a.ts', "import type { Settings } from '../settings.ts'", []],
  ['src/cli/a.ts', "import { SETTINGS } from '../settings.ts'", []],
  ['src/main.ts', "import { run } from './cli/run.ts'", []],
  ['src/http/a.ts', "import { createServer } from 'node:http'", []],
  ['src/brand/a.ts', "// import { x } from '../store/x.ts'\nexport const b = 'from'", []],
  [
    'src/brand/a.ts',
    "import { open } from '../store/open.ts'",
    [`src/brand/a.ts imports src/store/open.ts, and brand may not import store: ${away}`],
  ],
  [
    'src/brand/a.ts',
    "import {\n  one,\n  two as three,\n} from '../store/open.ts'",
    [`src/brand/a.ts imports src/store/open.ts, and brand may not import store: ${away}`],
  ],
  [
    'src/exchange/a.ts',
    "export type X = { a: 1 }\nexport type { Y } from '../brand/y.ts'",
    [`src/exchange/a.ts imports src/brand/y.ts, and exchange may not import brand: ${away}`],
  ],
  [
    'src/api/a.ts',
    "  const x = await import('../http/serve.ts')",
    [`src/api/a.ts imports src/http/serve.ts, and api may not import http: ${away}`],
  ],
  [
    'src/site/a.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a source file
    'new Worker(new URL(`../intake/font-worker${extension}`, import.meta.url))',
    [`src/site/a.ts imports src/intake/font-worker.ts, and site may not import intake: ${away}`],
  ],
  [
    'src/store/a.ts',
    "import '../compose.ts'",
    [`src/store/a.ts imports src/compose.ts, and store may not import compose: ${away}`],
  ],
  [
    'src/serving/a.ts',
    "import { SETTINGS, type Settings } from '../settings.ts'",
    [`src/serving/a.ts imports src/settings.ts, and serving may not import settings: ${away}`],
  ],
  [
    'src/brand/a.ts',
    "import type { Settings } from '../settings.ts'",
    [`src/brand/a.ts imports src/settings.ts, and brand may not import settings: ${away}`],
  ],
  [
    'src/api/a.ts',
    "import { createServer } from 'node:http'",
    [`src/api/a.ts imports node:http, which is for http alone: ${keep}`],
  ],
  ['src/attic/a.ts', '', ['src/attic/a.ts is in no room: move it, or give attic a row in ROOMS']],
  ['src/toString/a.ts', '', ['src/toString/a.ts is in no room: move it, or give toString a row in ROOMS']],
]

for (const [path, text, said] of CASES) {
  const verdict = said.length === 0 ? 'may hold' : 'may not hold'
  test(`${path} ${verdict}: ${text.replaceAll('\n', ' ')}`, () => {
    assert.deepEqual(misplaced([{ path, text }]), said)
  })
}

test('a circle of imports is found once and named all the way round', () => {
  const advice = 'move what both need into a file of its own'
  const files = [
    { path: 'src/brand/a.ts', text: "import { b } from './b.ts'" },
    { path: 'src/brand/b.ts', text: "import { c } from './c.ts'\nimport { d } from './d.ts'" },
    { path: 'src/brand/c.ts', text: "import type { B } from './b.ts'" },
    { path: 'src/brand/d.ts', text: '' },
  ]
  assert.deepEqual(circles(files), [`src/brand/b.ts → src/brand/c.ts → src/brand/b.ts: ${advice}`])
  assert.deepEqual(circles(files.filter(({ path }) => path !== 'src/brand/c.ts')), [])
})

test('a circle among the inner rooms of a room, or among theirs, is found', () => {
  const advice = 'move what both need into one of them, or into a third'
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
  assert.deepEqual(innerCircles(files), [`${type} → ${previews} → ${type}: ${advice}`])
  const back = { path: 'src/site/pages/d.ts', text: "import { a } from '../library/type/a.ts'" }
  assert.equal(innerCircles([...files.slice(0, 3), back]).length, 2)
})
