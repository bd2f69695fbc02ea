import { connect } from 'node:net'
import { quantile } from '../quantile.ts'

/*
 * The program of a process of its own: asks over kept connections, so many times a second, whatever comes back (open
 * loop); with 0, each connection asks again once it has its reply. Writes how many replies of each status came in the time,
 * in milliseconds, and how long 99 of 100 of them took at most. As arguments: port, requests a second, connections, time.
 */
const [port = 0, perSecond = 0, connections = 1, milliseconds = 0] = process.argv.slice(2).map(Number)
const taken = new Map<string, number[]>()
const sockets = await Promise.all(Array.from({ length: connections }, opened))
const began = performance.now()
let due = 0
if (perSecond === 0) for (const ask of sockets) ask(began)
else setInterval(askWhatIsDue, 2)
setTimeout(() => {
  const entries = Array.from(taken, ([status, values]) => [
    status,
    { count: values.length, p99: quantile(values, 0.99) },
  ])
  process.stdout.write(JSON.stringify(Object.fromEntries(entries)), () => process.exit())
}, milliseconds)

function askWhatIsDue(): void {
  for (; (due / perSecond) * 1000 < performance.now() - began; due++)
    sockets[due % connections]?.(began + (due / perSecond) * 1000)
}

function opened(): Promise<(due: number) => void> {
  return new Promise(resolve => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const asked: number[] = []
    let rest = ''
    const ask = (at: number) => {
      asked.push(at)
      socket.write('HEAD / HTTP/1.1\r\nHost: brand.test\r\n\r\n')
    }
    socket.setEncoding('latin1').on('data', (text: string) => {
      rest += text
      for (let end = rest.indexOf('\r\n\r\n'); end !== -1; end = rest.indexOf('\r\n\r\n')) {
        const status = rest.slice(9, 12)
        rest = rest.slice(end + 4)
        const values = taken.get(status) ?? []
        taken.set(status, values)
        values.push(performance.now() - (asked.shift() ?? 0))
        if (perSecond === 0) ask(performance.now())
      }
    })
    socket.once('connect', () => resolve(ask))
  })
}
