import { globSync } from 'node:fs'
import { join } from 'node:path'
import { quickTests } from './quick-tests.ts'

/* The tests of all quick files (quick-tests.ts), in one process. */

const root = join(import.meta.dirname, '..')
for (const file of quickTests(globSync('test/**/*.test.ts', { cwd: root }).sort(), root)) await import(join(root, file))
