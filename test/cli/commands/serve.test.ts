import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { serve } from '../../command.ts'
import { folderWith, temporaryFolder } from '../../temporary.ts'
import { housestyle, housestyleProcess, MAIN } from '../housestyle.ts'

const acme = fileURLToPath(new URL('../../../examples/acme', import.meta.url))

describe('serve', () => {
  it('of a folder imports and publishes it; another beside it on the same data folder serves the same, and both follow imports and publications', {
    timeout: 60_000,
  }, async t => {
    const data = join(await temporaryFolder(), 'data')
    const folder = join(await temporaryFolder(), 'acme')
    await cp(acme, folder, { recursive: true })
    const one = await serve(MAIN, folder, '--data', data, '--log', 'silent')
    const other = await serve(MAIN, '--data', data, '--log', 'silent')
    t.after(() => Promise.all([one.stop(), other.stop()]))
    const { stdout } = await housestyle(['token', 'issue', 'acme', '--data', data])
    const headers = { Authorization: `Bearer ${stdout.trim()}` }
    const page = async (base: string): Promise<unknown[]> => {
      const reply = await fetch(`${base}/workspace/acme/project/guidelines/page/color`, { headers })
      return [
        reply.status,
        reply.headers.get('Housestyle-Revision')?.split(';')[0],
        Reflect.get(Object(await reply.json()), 'content'),
      ]
    }
    const until = async (base: string, [status, revision]: unknown[]) => {
      for (let tries = 0; tries < 100; tries++) {
        const now = await page(base)
        if (now[0] === status && now[1] === revision) return now
        await sleep(50)
      }
      return assert.fail(`${base} did not follow`)
    }
    const before = await until(one.baseUrl, [200, '1'])
    assert.deepEqual(
      await until(other.baseUrl, [200, '1']),
      before.with(2, String(before[2]).replaceAll(one.url, other.url)),
    )
    await writeFile(join(folder, 'guidelines/pages/color.md'), '# Changed\n')
    assert.equal((await housestyleProcess(['import', folder, '--data', data])).status, 0)
    await sleep(300)
    assert.deepEqual(await page(one.baseUrl), before)
    assert.equal((await housestyleProcess(['publish', '--all', '--data', data])).status, 0)
    for (const { baseUrl } of [one, other])
      assert.deepEqual(await until(baseUrl, [200, '2']), [200, '2', '# Changed\n'])
  })

  it('says in words that it cannot listen, and exits 1', async t => {
    const data = join(await temporaryFolder(), 'data')
    const one = await serve(MAIN, '--data', data, '--log', 'silent')
    t.after(() => one.stop())
    const { port } = new URL(one.url)
    const taken = await housestyleProcess(['serve', '--data', data, '--port', port, '--json'])
    const message = `port ${port} of 127.0.0.1 is in use: name another with --port, or 0 for a free one`
    assert.deepEqual([taken.status, taken.stdout, JSON.parse(taken.stderr)], [1, '', { error: 'port_taken', message }])
    const { status, stderr } = await housestyleProcess(['serve', '--data', data, '--host', '203.0.113.9'])
    assert.equal(status, 1)
    assert.match(stderr, /^housestyle: 203\.0\.113\.9 is no address of this machine: name one with --host\n$/)
  })

  it('exits 1 where the folder has an error, says which, and serves nothing', async () => {
    const folder = await folderWith({ 'pages/a.md': '---\nid: X\n---\n' })
    const data = join(await temporaryFolder(), 'data')
    const plain = await housestyleProcess(['serve', folder, '--data', data, '--port', '0'])
    assert.deepEqual([plain.status, plain.stdout], [1, ''])
    assert.match(plain.stderr, /^pages\/a\.md:2 error id-invalid .*\n1 error\n$/)
    const json = await housestyleProcess(['serve', folder, '--data', data, '--port', '0', '--json'])
    assert.deepEqual([json.status, json.stdout, JSON.parse(json.stderr).error], [1, '', 'findings'])
  })

  it('ended by SIGINT exits 130, by SIGTERM 0', { timeout: 60_000 }, async t => {
    for (const [signal, code] of [
      ['SIGINT', 130],
      ['SIGTERM', 0],
    ] as const) {
      const child = spawn(process.execPath, [MAIN, 'serve', '--data', await temporaryFolder(), '--port', '0', '--json'])
      t.after(() => child.kill('SIGKILL'))
      await once(child.stdout, 'data')
      child.kill(signal)
      assert.deepEqual(await once(child, 'exit'), [code, null])
    }
  })

  it('prints addresses, and with --print-token a token and a line to try', { timeout: 60_000 }, async t => {
    const data = join(await temporaryFolder(), 'data')
    const child = spawn(process.execPath, [MAIN, 'serve', acme, '--data', data, '--port', '0', '--print-token'])
    t.after(() => child.kill('SIGKILL'))
    let printed = ''
    for await (const piece of child.stdout) {
      printed += piece
      if (printed.endsWith('/projects\n')) child.kill()
    }
    assert.match(printed, /^API +http:\/\/127\.0\.0\.1:\d+\/beta\nDocumentation +http/)
    const token = /\n(?<token>[\w-]+\.[\w-]+\.[\w-]+)\n\nTry:\n(?<curl>.*)\n$/.exec(printed)?.groups
    assert.ok(token?.curl?.startsWith(`curl -H 'Authorization: Bearer ${token.token}' http://`))
  })
})
