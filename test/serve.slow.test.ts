import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { askUntilRefused } from './support/client.ts'
import { serve } from './support/command.ts'
import { ask } from './support/requests.ts'
import { assertAnswer } from './support/service.ts'
import { publishedStore, temporaryStore } from './support/temporary-store.ts'
import { until } from './support/until.ts'

/* `serve` is a child process here, so that what other processes do to its store is what it sees. */

const bin = fileURLToPath(new URL('../bin/housestyle.js', import.meta.url))
const project = '/workspace/acme/project/guide'
const LAST = 25
const PATHS = ['', '/pages', '/page/index', '/styles', '/files']

/** A brand folder; every part of it names the revision. */
function contents(revision: number): Record<string, string> {
  return {
    'guide/project.yaml': `name: Revision ${revision}\n`,
    'guide/pages/index.md': `# Revision ${revision}\n\n![](../files/mark.svg)\n`,
    'guide/styles/colors.yaml': `- name: Revision ${revision}\n  hex: "#000000"\n`,
    'guide/files/mark.svg': `<svg xmlns="http://www.w3.org/2000/svg" width="${revision}" height="1"/>\n`,
    'guide/files/files.yaml': `mark.svg: Revision ${revision}\n`,
  }
}

test('a publication is served within moments, to tokens issued before serve had a port', async () => {
  const temporary = await temporaryStore()
  const { data } = temporary
  await temporary.importing('acme', contents(1))
  const { token } = await temporary.issue('acme')
  const first = await serve(bin, '--data', data)
  const second = await serve(bin, '--data', data)
  const headers = { authorization: `Bearer ${token}` }
  const status = async (baseUrl: string) => (await fetch(baseUrl + project, { headers })).status
  for (const { baseUrl } of [first, second]) assert.equal(await status(baseUrl), 404)
  await temporary.publish('acme/guide')
  for (const { baseUrl } of [first, second]) while ((await status(baseUrl)) === 404) await sleep(20)
  for (const { baseUrl, stop } of [first, second]) {
    assert.equal(await revisionOf(baseUrl, '', { headers }), 1)
    assert.equal(await stop(), 0)
  }
})

test('during many publications under load, every reply has one revision, and serve stops without losing a reply', async t => {
  const temporary = await publishedStore('acme/guide', contents(1))
  const { token } = await temporary.issue('acme')
  const { url, baseUrl, stop } = await serve(bin, '--data', temporary.data, '--rate', 'off')
  t.after(stop)
  const headers = { authorization: `Bearer ${token}` }
  const publishing = new AbortController()
  const clients = PATHS.map(async path => {
    const seen = [0]
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (!t.signal.aborted && !(publishing.signal.aborted && seen.at(-1) === LAST))
      seen.push(await revisionOf(baseUrl, path, { headers, agent }))
    agent.destroy()
    const expected = seen.toSorted((one, other) => one - other)
    assert.deepEqual(seen, expected)
    return new Set(seen).size
  })
  for (let revision = 2; revision <= LAST; revision++) {
    await temporary.publishing('acme/guide', contents(revision))
  }
  publishing.abort()
  for (const revisions of await Promise.all(clients)) assert.ok(revisions > 2)

  const bearer = `Authorization: Bearer ${token}`
  const port = Number(new URL(url).port)
  const asking = [...PATHS, ...PATHS].map(path => askUntilRefused(port, `GET /beta${project}${path}`, [bearer]))
  await until(() => asking.every(({ outcomes }) => outcomes.length > 0))
  assert.equal(await stop(), 0)
  for (const { outcomes, ended } of asking) {
    await ended
    assert.equal(outcomes.at(-1), 'refused')
    for (const outcome of outcomes.slice(0, -1)) assert.equal(outcome, 200)
  }
})

/** Sends a request, and asserts that the body names only the revision in the header. */
async function revisionOf(baseUrl: string, path: string, options: object): Promise<number> {
  const { status, text, ...reply } = await ask(baseUrl + project + path, options)
  const headers = new Headers(Object.entries(reply.headers).map(([name, value]) => [name, `${value}`]))
  assert.equal(status, 200)
  assertAnswer(`/beta${project}${path}`, 'GET', { status, headers, text })
  const revision = Number(/^(\d+);/.exec(headers.get('housestyle-revision') ?? '')?.[1])
  const named = new Set(Array.from(text.matchAll(/Revision (\d+)/g), ([, number]) => Number(number)))
  assert.deepEqual(named, new Set([revision]))
  return revision
}
