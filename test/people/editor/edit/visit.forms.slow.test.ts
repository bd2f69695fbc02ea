import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { editedGuides, multipart } from '#test/support/edited-guides.ts'
import { sessionCookie } from '#test/support/people-service.ts'
import { exchange } from '#test/support/socket.ts'
import { until } from '#test/support/until.ts'

const MIB = 1 << 20
const { temporary, url, port, formAt, signIn, send } = await editedGuides({
  'guide/project.yaml': 'name: Guide\nvisibility: public\n',
  'guide/pages/index.md': '# Hello\n',
})
await until(async () => (await fetch(`${url}/acme/guide`)).ok)
const cookies = await Promise.all(['ada', 'ben', 'cleo', 'dan', 'eve'].map(subject => signIn({ subject })))
const [cookie = ''] = cookies
const reader = await sessionCookie(temporary, 'acme', { subject: 'other', manages: 'all' })
const token = (await formAt('/acme/guide/-/edit/index', cookie)).get('token') ?? ''
const open: Socket[] = []
after(() => {
  for (const socket of open) socket.destroy()
})

const ADDRESSES = ['index', '-/picture', '-/file/files/a.svg'].map(each => `/acme/guide/-/edit/${each}`)

test('nobody who may not edit is asked for a file: the reply comes before any of it', async () => {
  for (const address of ADDRESSES)
    for (const who of [reader, '']) {
      const [reply] = await exchange(port, headOf(address, who, 20 * MIB), { keepOpen: true })
      assert.equal(reply?.status, 403, address)
    }
})

test('a form that is larger than its address accepts gets 413, also without a length', async () => {
  for (const address of ADDRESSES)
    assert.equal((await exchange(port, headOf(address, cookie, 51 * MIB), { keepOpen: true }))[0]?.status, 413)
  const body = new ReadableStream({
    start: controller => {
      controller.enqueue(Buffer.alloc(100_000, 'x'))
      controller.close()
    },
  })
  const headers = { cookie, origin: url, 'content-type': 'application/x-www-form-urlencoded' }
  const reply = await fetch(`${url}/acme/-/edit/new`, { method: 'POST', body, headers, duplex: 'half' })
  assert.equal(reply.status, 413)
})

test('a form with more fields than any page has is not read', async () => {
  const headers = { cookie, origin: url, 'content-type': 'application/x-www-form-urlencoded' }
  const body = `token=${token}&do=restore&base=%22%22${'&a=b'.repeat(120_000)}`
  assert.equal((await fetch(`${url}/acme/guide/-/edit/index`, { method: 'POST', body, headers })).status, 403)
})

test('ten slow uploads of five people keep nobody out, and a sixth file of one person waits for no other', async () => {
  const head = (who: string) => headOf('/acme/guide/-/edit/-/picture', who, 50 * MIB)
  for (const who of [...cookies, ...cookies]) {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.on('error', () => undefined)
    socket.write(`${head(who)}--x\r\nContent-Disposition: form-data; name="picture"; filename="a.png"\r\n\r\nslow`)
    open.push(socket)
  }
  const picture = new File(['<svg xmlns="http://www.w3.org/2000/svg"/>', ' '.repeat(45 * MIB)], 'bench.svg')
  const body = multipart({ token, description: 'A bench', picture })
  const reply = await send('/acme/guide/-/edit/-/picture?page=index', body, cookie)
  assert.equal(reply.status, 200)
})

function headOf(address: string, who: string, bytes: number): string {
  const fields = [
    `POST ${address} HTTP/1.1`,
    `Host: ${new URL(url).host}`,
    `Origin: ${url}`,
    `Cookie: ${who}`,
    'Content-Type: multipart/form-data; boundary=x',
    `Content-Length: ${bytes}`,
  ]
  return `${fields.join('\r\n')}\r\n\r\n`
}
