import { execFileSync } from 'node:child_process'
import { parentPort } from 'node:worker_threads'
import type { Pattern } from './patterns.ts'

/** Files that run a process or a page when they are imported. */
const PROGRAMS = /main\.ts$|\/script\/|-process\.ts$|worker/

// Sends the patterns that the modules of `src` compose of strings when they are imported.
const patterns: Pattern[] = []
globalThis.RegExp = new Proxy(RegExp, {
  construct(native, [source, flags]) {
    const pattern = new native(source, flags)
    const [, path, line] = /\/(src\/[^:\n]+\.ts):(\d+)/.exec(`${new Error('made here').stack}`) ?? []
    if (path) patterns.push({ path, line: Number(line), source: pattern.source, flags: pattern.flags })
    return pattern
  },
})
const files = execFileSync('git', ['ls-files', 'src/**/*.ts'], { encoding: 'utf8' }).trim().split('\n')
for (const path of files) if (!PROGRAMS.test(path)) await import(`../../${path}`)
parentPort?.postMessage(patterns)
