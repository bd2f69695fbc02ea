import { connect } from 'node:net'

/*
 * The program of a process of its own: asks for pages at a fixed rate over kept connections, whatever comes back, and
 * writes how long each took from the moment when it was due, in milliseconds, and its status. As arguments: the port, a
 * path, requests a second, for how many milliseconds, and a token.
 */
const [port = '', path = '', perSecond = '', milliseconds = '', token = ''] = process.argv.slice(2)
const CONNECTIONS = 16
const request = `HEAD ${path} HTTP/1.1\r\nHost: brand.test\r\nAuthorization: Bearer ${token}\r\n\r\n`

const taken: [ms: number, status: number][] = []
const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, opened))
const total = (Number(perSecond) * Number(milliseconds)) / 1000
const began = performance.now()
let sent = 0
const pace = setInterval(() => {
  for (; sent < total; sent++) {
    const due = began + (sent / Number(perSecond)) * 1000
    if (due > performance.now()) return
    sockets[sent % CONNECTIONS]?.(due)
  }
  if (taken.length < total) return
  clearInterval(pace)
  process.stdout.write(JSON.stringify(taken), () => process.exit())
}, 1)

function opened(): Promise<(due: number) => void> {
  return new Promise(resolve => {
    const socket = connect({ port: Number(port), host: '127.0.0.1', noDelay: true })
    const asked: number[] = []
    let rest = ''
    socket.setEncoding('latin1').on('data', (text: string) => {
      rest += text
      for (let end = rest.indexOf('\r\n\r\n'); end !== -1; end = rest.indexOf('\r\n\r\n')) {
        taken.push([performance.now() - (asked.shift() ?? 0), Number(rest.slice(9, 12))])
        rest = rest.slice(end + 4)
      }
    })
    socket.once('connect', () =>
      resolve(due => {
        asked.push(due)
        socket.write(request)
      }),
    )
  })
}
