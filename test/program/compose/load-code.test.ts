import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import test from 'node:test'

/** Modules that are loaded at the start if the service is configured so, or only by commands. */
const ELSEWHERE: ReadonlySet<string> = new Set(
  `
  ioredis node:http node:https pg src/delivery/agents/mcp-server.ts
  src/serving/access/limit/limit-with-fallback.ts src/brand/similar.ts
  src/publishing/git/follow/follow.ts src/publishing/git/pull/pull-in-process.ts
  src/store/files/files-s3.ts src/store/shared-store.ts src/platform/telemetry/opentelemetry.ts
`
    .trim()
    .split(/\s+/),
)

/** Modules with tables of imports, all of which the list loads. */
const TABLES = ['src/delivery/export/formats.ts', 'src/delivery/agents/tools/tools.ts']

/** Modules with imports that the list makes by calling them. */
const CALLED = [
  'src/serving/access/keys/jose.ts',
  'src/people/signin/agents/server/authorization-server.ts',
  'src/formats/picture/signature.ts',
]

test('every module that a service imports later is in the list of the code that it loads', () => {
  const listed = new Set(['src/program/compose/load-code.ts', ...TABLES].flatMap(path => laterImports(path)))
  for (const path of CALLED) for (const target of laterImports(path)) listed.add(target)
  const missing = [...modulesOf('src/program/compose/open-service.ts')].flatMap(path =>
    laterImports(path).filter(target => !listed.has(target) && !ELSEWHERE.has(target)),
  )
  assert.deepEqual([...new Set(missing)], [])
})

/** A module and everything that it imports, directly or indirectly, now or later. */
function modulesOf(start: string): Set<string> {
  const found = new Set([start])
  for (const path of found)
    for (const target of [...importsIn(path, STATIC), ...laterImports(path)])
      if (target.startsWith('src/')) found.add(target)
  return found
}

const STATIC = /^(?:import|export)\s(?!type\s)[^'"]*?from '([^']+)'/gm
const LATER = /(?<!typeof )\bimport\(\s*'([^']+)'/g

function laterImports(path: string): string[] {
  return importsIn(path, LATER)
}

function importsIn(path: string, pattern: RegExp): string[] {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  return [...text.matchAll(pattern)].map(([, name = '']) =>
    name.startsWith('.') ? join(dirname(path), name) : name.replace(/^#/, 'src/'),
  )
}
