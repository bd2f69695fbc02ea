import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import test from 'node:test'
import { MAIN } from '../program/cli/housestyle.ts'
import { serve } from '../support/command.ts'
import { startNginx } from '../support/nginx.ts'
import { needs } from '../support/programs.ts'
import { ask } from '../support/requests.ts'
import { publishedStore } from '../support/temporary-store.ts'
import { until } from '../support/until.ts'

const EACH = 200
/** Less than the number of slow clients. */
const MAX_CONNECTIONS = '100'

/** Opens connections that send bytes and never read. */
async function openStalled(port: number, bytes: string): Promise<Socket[]> {
  const sockets = Array.from({ length: EACH }, () => connect(port, '127.0.0.1'))
  for (const socket of sockets) socket.on('error', () => undefined).pause()
  await Promise.all(sockets.map(socket => once(socket, 'connect')))
  for (const socket of sockets) socket.write(bytes)
  return sockets
}

test('behind nginx, hundreds of slow clients do not keep others out', needs('nginx'), async t => {
  const temporary = await publishedStore('acme/open', {
    'open/project.yaml': 'visibility: public\n',
    'open/pages/index.md': '# Open\n',
    'open/files/film.bin': new Uint8Array(16 << 20),
  })
  const { token } = await temporary.issue('acme')
  const options = ['--data', temporary.data, '--log', 'silent', '--rate', 'off', '--trusted-proxies', '127.0.0.1']
  const node = await serve(MAIN, ...options, '--max-connections', MAX_CONNECTIONS)
  t.after(node.stop)
  // So that slow clients stay, however long the others need on a busy machine.
  const nginx = await startNginx([Number(new URL(node.url).port)], shipped =>
    shipped.replace(/((?:client_header|client_body|send)_timeout) \d+s/g, '$1 1h'),
  )
  t.after(nginx.stop)
  const front = `http://127.0.0.1:${nginx.port}`
  const api = `${front}/beta/workspace/acme/project/open`
  const headers = { authorization: `Bearer ${token}` }
  const { files } = JSON.parse((await ask(`${api}/files`, { headers })).text)
  const film = new URL(files[0].url).pathname
  assert.equal((await ask(front + film)).status, 200) // Fills nginx's cache.

  const slow = [
    ...(await openStalled(nginx.port, 'GET /acme/open HTTP/1.1\r\nHost: brand.test\r\nX: ')),
    ...(await openStalled(
      nginx.port,
      'POST /oauth/token HTTP/1.1\r\nHost: brand.test\r\nContent-Length: 1000\r\n\r\na',
    )),
    ...(await openStalled(nginx.port, `GET ${film} HTTP/1.1\r\nHost: brand.test\r\n\r\n`)),
  ]
  t.after(() => {
    for (const socket of slow) socket.destroy()
  })
  for (let round = 0; round < 20; round++) {
    await until(async () => (await ask(`${api}/pages`, { headers })).status === 200)
    await until(async () => (await ask(`${front}/acme/open`)).status === 200)
    await until(async () => (await ask(front + film, { headers: { range: 'bytes=0-9' } })).status === 206)
  }
})
