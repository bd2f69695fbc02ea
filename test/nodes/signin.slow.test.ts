import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { MAIN } from '../program/cli/housestyle.ts'
import { authorization, proofIn, tokenRequest } from '../support/authorization.ts'
import { command, serve } from '../support/command.ts'
import { freePort } from '../support/free-port.ts'
import { signInAt, startPeopleIssuer } from '../support/people-issuer.ts'
import { startPostgres } from '../support/postgres.ts'
import { needs } from '../support/programs.ts'
import { temporaryFolder, writeFolder } from '../support/temporary.ts'
import { until } from '../support/until.ts'

const ANNA = { sub: 'anna', password: 'sesame', name: 'Anna Lee', email: 'anna@example.com', emailVerified: true }

test('with Postgres, a person signs in and out at two processes in turn', needs('postgres'), async () => {
  const [postgres, folder] = [await startPostgres(), await temporaryFolder()]
  const ports = [await freePort(), await freePort()]
  after(postgres.stop)
  const url = `http://127.0.0.1:${ports[0]}`
  const store = ['--database', await postgres.newDatabase(), '--data', join(folder, 'data')]
  const run = (...args: string[]) => command(MAIN, ...args, ...store)
  await writeFolder(folder, { 'acme/guide/pages/index.md': '# Secret\n' })
  await writeFile(join(folder, 'secret.txt'), 'the secret\n')
  const issuer = await startPeopleIssuer({ people: [ANNA], client: { id: 'guides', secret: 'the secret' } })
  await issuer.setRedirects([`${url}/-/signed-in`])
  await run('import', join(folder, 'acme'))
  await run('publish', 'acme/guide')
  const client = ['--client-id', 'guides', '--client-secret-file', join(folder, 'secret.txt')]
  await run('signin', 'add', 'acme', '--issuer', issuer.url, ...client, '--allow-domain', 'example.com')
  const created = await run('client', 'create', 'acme', '--redirect-uri', 'http://127.0.0.1/callback', '--json')
  const program = {
    clientId: String(JSON.parse(created).client_id),
    redirectUri: 'http://127.0.0.1/callback',
    resource: `${url}/acme/guide/-/mcp`,
  }
  for (const port of ports) {
    const node = await serve(MAIN, ...store, '--public-url', url, '--port', String(port))
    after(node.stop)
  }

  const cookies = new Map<string, string>()
  let turn = 0
  /** Asks the two processes in turn, as a browser behind a load balancer. */
  const ask = async (address: string, form?: Record<string, string>) => {
    const { pathname, search } = new URL(address, url)
    const target = `http://127.0.0.1:${ports[turn++ % ports.length]}${pathname}${search}`
    const cookie = Array.from(cookies, pair => pair.join('=')).join('; ')
    const headers = { accept: 'text/html', cookie, 'sec-fetch-site': 'same-origin', origin: url }
    const sent = form ? { method: 'POST', body: new URLSearchParams(form) } : {}
    const reply = await fetch(target, { ...sent, headers, redirect: 'manual' })
    for (const set of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return { status: reply.status, location: reply.headers.get('location') ?? '', text: await reply.text() }
  }
  const { target, verifier } = authorization(program)
  const consent = (await ask(target)).location
  const guest = await ask(consent)
  const [, signIn = ''] = /href="([^"]*\/-\/signin[^"]*)"/.exec(guest.text) ?? []
  const start = await ask(signIn.replaceAll('&#38;', '&').replaceAll('&amp;', '&'))
  const back = await signInAt(issuer, start.location, ANNA)
  assert.equal(new URL((await ask(back)).location, url).pathname, new URL(consent, url).pathname)
  const page = await ask(consent)
  assert.match(page.text, /Anna Lee/)
  const proof = proofIn({ ...page, headers: new Headers() })
  const decided = await ask(consent, { action: 'allow', proof })
  const code = new URL((await ask(decided.location)).location).searchParams.get('code') ?? ''
  const tokens = JSON.parse((await ask('/oauth/token', tokenRequest(program, { code, verifier }))).text)
  const statuses = async () => {
    const authorized = { headers: { authorization: `Bearer ${tokens.access_token}` } }
    const path = '/beta/workspace/acme/project/guide/pages'
    return Promise.all(ports.map(async port => (await fetch(`http://127.0.0.1:${port}${path}`, authorized)).status))
  }
  assert.deepEqual(await statuses(), [200, 200])
  assert.deepEqual([(await ask('/acme/guide')).status, (await ask('/acme/guide')).status], [200, 200])
  await run('signin', 'end', 'anna@example.com')
  await until(async () => (await statuses()).every(status => status === 401))
  assert.deepEqual([(await ask('/acme/guide')).status, (await ask('/acme/guide')).status], [404, 404])
})
