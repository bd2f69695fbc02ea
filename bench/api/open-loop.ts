import { readFileSync } from 'node:fs'
import { connect } from 'node:net'

/*
 * The program of a process of its own: sends the requests of a file at a fixed rate, whether earlier ones were answered
 * or not, and prints how long each took from the moment it was due. A request that is due while all connections are
 * busy waits, and that counts, because a client would have waited too. As arguments: the port, the file, how many
 * requests a second, and for how many seconds.
 */
const [port = 0, perSecond = 1, seconds = 1] = [process.argv[2], process.argv[4], process.argv[5]].map(Number)
const requests = readFileSync(process.argv[3] ?? '')
  .toString('latin1')
  .split('\0')
  .map(text => Buffer.from(text, 'latin1'))
const CONNECTIONS = 64
/** What is sent before this share of the time is over warms the server up, and is not counted. */
const WARM = 0.2

const took = new Float64Array(Math.ceil(perSecond * seconds))
/** How many are due, have been sent, and have been answered. */
let [due, sent, answered] = [0, 0, 0]
let [counted, lost, refused] = [0, 0, 0]
const began = performance.now() + 100
const idle: (() => void)[] = []
for (let at = 0; at < CONNECTIONS; at++) open()
setImmediate(tick)

function tick(): void {
  const now = performance.now()
  due = Math.max(0, Math.min(took.length, Math.floor(((now - began) / 1000) * perSecond)))
  while (sent < due && idle.length > 0) idle.pop()?.()
  if (answered + lost === took.length || now > began + (seconds + 10) * 1000) report()
  else setImmediate(tick)
}

/** A connection with one request under way at a time. */
function open(): void {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let [number, missing, head] = [-1, 0, '']
  const send = () => {
    number = sent++
    socket.write(requests[number % requests.length] ?? '')
  }
  socket.once('connect', () => idle.push(send))
  socket.on('data', (chunk: Buffer) => {
    if (missing === 0) {
      head += chunk.toString('latin1')
      const end = head.indexOf('\r\n\r\n')
      if (end === -1) return
      missing = bodyLength(head.slice(0, end)) - (head.length - end - 4)
      head = ''
    } else missing -= chunk.length
    if (missing > 0) return
    missing = 0
    const isCounted = number > took.length * WARM
    if (isCounted) took[counted++] = performance.now() - (began + (number / perSecond) * 1000)
    answered++
    number = -1
    if (sent < due) send()
    else idle.push(send)
  })
  socket.once('error', () => undefined)
  socket.once('close', () => {
    if (number !== -1) lost++
    if (answered + lost < took.length) open()
  })
}

function bodyLength(head: string): number {
  if (!/^HTTP\/1\.1 (200|304)/.test(head)) refused++
  if (head.startsWith('HTTP/1.1 304')) return 0
  return Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
}

function report(): void {
  const sorted = took.subarray(0, counted).toSorted()
  const at = (share: number) => sorted[Math.min(counted - 1, Math.floor(counted * share))] ?? Number.NaN
  const failed = refused + took.length - answered
  console.log(JSON.stringify({ p50: at(0.5), p99: at(0.99), p999: at(0.999), failed }))
  process.exit()
}
