import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { Worker } from 'node:worker_threads'
import { type Pattern, patternsIn } from './house/patterns.ts'

/** The modules whose patterns read what people and other servers send while a service runs. */
const SERVING = /^src\/(?:people|platform|program|publishing|serving|store)\//

/** Why a pattern may take longer than its text is long: the text is short, or the operator's own. */
const BOUNDED: Readonly<Record<string, string>> = {
  'src/people/editor/script/shown.ts': 'the source of one picture, in the browser of the person who writes it',
  'src/platform/base/server-url.ts': 'an address in the settings of the operator',
  'src/platform/processes/program-code.ts': 'the program itself',
  'src/platform/settings/values.ts': 'an address in the settings of the operator',
  'src/publishing/git/program/git-problem.ts': 'one line of the errors of git, which are cut',
  'src/serving/access/session/signin-options.ts': 'a rule that the operator writes',
  'src/serving/access/token/compact-token.ts':
    'a part of a token that has been read as JSON, in a field of limited size',
  'src/serving/usage.ts': 'at most 200 characters of a search',
  'src/store/files/s3/requests.ts': 'the code of an error',
}

test('no pattern of the service takes longer for a text than this is long', async () => {
  const files = execFileSync('git', ['ls-files', 'src'], { encoding: 'utf8' }).split('\n')
  const own = files.filter(path => path.endsWith('.ts') && SERVING.test(path))
  const patterns = own.flatMap(path => patternsIn({ path, text: readFileSync(path, 'utf8') }))
  assert.ok(patterns.length > 100)
  const worker = new Worker(new URL('./house/pattern-worker.ts', import.meta.url))
  const isSlow = async (pattern: Pattern) => {
    worker.postMessage(pattern)
    const [attack] = await once(worker, 'message')
    return attack !== undefined
  }
  const slow: Pattern[] = []
  for (const pattern of patterns) if (await isSlow(pattern)) slow.push(pattern)
  // On a busy machine, once more.
  const sure: Pattern[] = []
  for (const pattern of slow) if (await isSlow(pattern)) sure.push(pattern)
  await worker.terminate()
  const found = sure.filter(({ path }) => !Object.hasOwn(BOUNDED, path))
  assert.deepEqual(
    found.map(({ path, line, source }) => `${path}:${line} ${source}`),
    [],
  )
})

test('a pattern that tries the same characters again and again is found', async () => {
  const worker = new Worker(new URL('./house/pattern-worker.ts', import.meta.url))
  const attackOn = async (source: string) => {
    worker.postMessage({ path: '', line: 1, source, flags: 'g' } satisfies Pattern)
    return (await once(worker, 'message'))[0]
  }
  assert.notEqual(await attackOn(String.raw`\s*\n\s*`), undefined)
  assert.equal(await attackOn('[ab]+c?'), undefined)
  await worker.terminate()
})
