import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import test from 'node:test'
import { shellWord } from '#platform/base/text.ts'
import { jsonLine } from '#program/cli/output/output.ts'
import { openStore } from '#store/store.ts'
import { PATIENCE_MS } from '../../../support/patience.ts'
import { folderWith, temporaryFolder } from '../../../support/temporary.ts'
import { MAIN } from '../housestyle.ts'

/** A working folder with brand folders and an empty store, and an environment whose PATH has the command `housestyle`. */
async function workspace() {
  const cwd = await temporaryFolder()
  await folderWith({ 'guide/pages/index.md': '# Guide\n' }, "it's new", cwd)
  await folderWith({ 'guide/pages/index.md': '---\nid: X\n---\n# A\n' }, '-broken', cwd)
  await mkdir(join(cwd, 'none'))
  await (await openStore(join(cwd, 'empty'))).close()
  const bin = await temporaryFolder()
  const command = join(bin, 'housestyle')
  await writeFile(command, `#!/bin/sh\nexec ${shellWord(process.execPath)} ${shellWord(MAIN)} "$@"\n`)
  await chmod(command, 0o755)
  const PATH = [bin, process.env.PATH].join(delimiter)
  return { cwd, env: { PATH, HOUSESTYLE_PORT: '0', NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE } }
}

type Place = Awaited<ReturnType<typeof workspace>>

/** Runs a line in a shell and gives its exit code and the lines that it suggests. Stops a service once it listens. */
async function runLine(line: string, { cwd, env }: Place) {
  const child = spawn('sh', ['-c', `exec ${line}`], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: PATIENCE_MS,
  })
  if (/^housestyle (?:serve|dev)\b/.test(line)) stopOnceListening(child)
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  const next = stderr.split('\n').flatMap(each => /^next: (.*)$/.exec(each)?.[1] ?? [])
  return { code, next, stderr }
}

function stopOnceListening(child: ChildProcess): void {
  let printed = ''
  child.stdout?.on('data', chunk => {
    printed += chunk
    if (printed.includes('http://')) child.kill('SIGTERM')
  })
}

for (const [first, exitCode, suggested] of [
  ['housestyle check none', 1, ['init acme', 'dev acme']],
  ['housestyle status --data empty', 0, ['init acme', 'dev acme']],
  ['housestyle check -- -broken', 1, ['check ./-broken']],
  [
    "housestyle import \"it's new\" --data 'my data'",
    0,
    ["publish it-s-new/guide --data 'my data'", "serve --data 'my data'", "share it-s-new/guide --data 'my data'"],
  ],
  [
    'housestyle check "it\'s new"',
    0,
    ["dev 'it'\\''s new'", "import 'it'\\''s new'", 'publish it-s-new/guide', 'serve', 'share it-s-new/guide'],
  ],
] as const)
  test(`every next step after ${first} runs as printed`, async () => {
    const place = await workspace()
    const { code, next } = await runLine(first, place)
    assert.equal(code, exitCode)
    const lines = [...next]
    for (const line of lines) {
      const ran = await runLine(line, place)
      assert.equal(ran.code, line.includes('broken') ? 1 : 0, `${line}: ${ran.stderr}`)
      lines.push(...ran.next.filter(each => !lines.includes(each)))
    }
    assert.deepEqual(lines.toSorted(), suggested.map(line => `housestyle ${line}`).toSorted())
  })

test('characters that control a terminal or the direction of text are escaped, and no others', () => {
  for (let code = 0x20; code < 0x1_0000; code++) {
    const text = String.fromCharCode(code)
    const isEscaped = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}"\\]/u.test(text)
    const line = jsonLine(text)
    assert.equal(line === `"${text}"`, !isEscaped, line)
    assert.equal(JSON.parse(line), text)
  }
})
