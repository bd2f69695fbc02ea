import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { quickTests } from './quick-tests.ts'
import { folderWith } from './support/temporary.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

const FILES: readonly [path: string, text: string, isQuick: boolean][] = [
  ['test/plain.test.ts', "import { a } from '../src/plain.ts'", true],
  ['test/direct.test.ts', "import { spawn } from 'node:child_process'", false],
  ['test/several-lines.test.ts', "import {\n  spawn,\n} from 'node:child_process'", false],
  ['test/support.test.ts', "import { open } from './support/browser.ts'", false],
  ['test/source.test.ts', "import { b } from '../src/processes.ts'", false],
  ['test/later.test.ts', "const { b } = await import('#processes.ts')", false],
  ['test/loading.test.ts', "import { registerHooks } from 'node:module'", false],
  ['test/type.test.ts', "import type { Socket } from 'node:net'", true],
  ['test/address.test.ts', "import { isIP } from 'node:net'", true],
  ['test/server.test.ts', "import { createServer, isIP } from 'node:net'", false],
]

test('a quick test imports no servers, browsers or other processes, even through other files', async () => {
  const folder = await folderWith({
    ...Object.fromEntries(FILES.map(([path, text]) => [path, `${text}\n`])),
    'src/plain.ts': "import { join } from 'node:path'\n",
    'src/processes.ts': "import { fork } from 'node:child_process'\n",
    'test/support/browser.ts': "import { chromium } from 'playwright-core'\n",
  })
  assert.deepEqual(
    quickTests(
      FILES.map(([path]) => path),
      folder,
    ),
    FILES.filter(([, , isQuick]) => isQuick).map(([path]) => path),
  )
})

test('tests of pure code are quick, and tests of servers, browsers and databases are not', () => {
  const all = globSync('test/**/*.test.ts', { cwd: root })
  const quick = quickTests(all, root)
  for (const path of [
    'test/brand/ids.test.ts',
    'test/platform/settings/settings.test.ts',
    'test/intake/yaml/yaml.test.ts',
  ])
    assert.ok(quick.includes(path), path)
  for (const path of [
    'test/program/http/server.test.ts',
    'test/nodes/postgres-faults.slow.test.ts',
    'test/website/xss.browser.slow.test.ts',
  ])
    assert.ok(all.includes(path) && !quick.includes(path), path)
})
