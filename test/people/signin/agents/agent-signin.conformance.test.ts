import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import type { Service } from '#program/http/service/service.ts'
import { guest, PRIVATE_BRAND, registerProgram, shareLink } from '../../../support/agent-program.ts'
import { proofIn, redirectOf } from '../../../support/authorization.ts'
import { freePort } from '../../../support/free-port.ts'
import { runningService } from '../../../support/service.ts'
import { publishedStore } from '../../../support/temporary-store.ts'
import type { Visitor } from '../../../support/visitor.ts'

const temporary = await publishedStore('acme/guidelines', PRIVATE_BRAND)
const { url } = await runningService(temporary)

/** The service over its socket. */
const overSocket: Service = async ({ method, path, query, headers, body }) => {
  const target = `${url}${path}${query === '' ? '' : `?${query}`}`
  const fields = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  const sent = { method, headers: Object.fromEntries(fields), redirect: 'manual' } as const
  const reply = await fetch(target, body ? { ...sent, body: Buffer.from(body) } : sent)
  const cookies = reply.headers.getSetCookie().flatMap(cookie => ['set-cookie', cookie])
  const others = [...reply.headers].filter(([name]) => name !== 'set-cookie').flat()
  return { status: reply.status, headers: [...cookies, ...others], body: new Uint8Array(await reply.arrayBuffer()) }
}

/** Allows an authorization, and lets the browser return to the program. */
async function allowAt(browser: Visitor, address: string): Promise<void> {
  const consent = pathOf(redirectOf(await browser.get(pathOf(address))))
  const page = await browser.get(consent)
  const decided = await browser.post(consent, { action: 'allow', proof: proofIn(page) })
  const back = redirectOf(await browser.get(pathOf(redirectOf(decided))))
  assert.equal((await fetch(back)).status, 200)
}

function pathOf(address: string): string {
  return address.slice(url.length)
}

test('the official conformance suite for authorization servers passes in all its scenarios', async () => {
  const port = await freePort()
  const clientId = await registerProgram(temporary.store)
  const browser = await guest(overSocket, await shareLink(temporary.store))
  const suite = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')
  const client = ['--client-id', clientId, '--resource', `${url}/acme/guidelines/-/mcp`, '--port', String(port)]
  const program = [join(suite, '../dist/index.js'), 'authorization', '--url', url, ...client]
  const ran = spawn(process.execPath, program, { cwd: temporary.folder, stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(ran, 'close')
  const lines: string[] = []
  for await (const line of createInterface(ran.stdout)) {
    lines.push(line)
    if (line.startsWith(`${url}/oauth/authorize?`)) await allowAt(browser, line)
  }
  const [status] = await closed
  assert.equal(status, 0, lines.join('\n'))
  assert.match(lines.join('\n'), /^Total: [1-9]\d* passed, 0 failed$/m)
})
