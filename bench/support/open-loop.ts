import { connect } from 'node:net'

/*
 * A program: sends requests at a fixed rate, whether or not earlier ones were answered; with a rate of 0, each connection
 * sends the next request once it has a reply. Prints the number of 200 replies. Arguments: port, requests per second,
 * connections, milliseconds.
 */
const [port = 0, perSecond = 0, connections = 1, milliseconds = 0] = process.argv.slice(2).map(Number)
const RESPONSE_HEAD = /^HTTP\/1\.1 (\d+)[\s\S]*?\r\n\r\n/
let answers = 0
const senders = await Promise.all(Array.from({ length: connections }, openConnection))
const began = performance.now()
let sent = 0
if (perSecond === 0) for (const send of senders) send()
else setInterval(sendDue, 2)
setTimeout(() => process.stdout.write(String(answers), () => process.exit()), milliseconds)

function sendDue(): void {
  for (; (sent / perSecond) * 1000 < performance.now() - began; sent++) senders[sent % connections]?.()
}

/** Returns a function that sends a request. Replies to HEAD have no body. */
function openConnection(): Promise<() => void> {
  return new Promise(resolve => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const send = () => void socket.write('HEAD / HTTP/1.1\r\nHost: brand.test\r\n\r\n')
    let received = ''
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text
      for (let head = RESPONSE_HEAD.exec(received); head; head = RESPONSE_HEAD.exec(received)) {
        received = received.slice(head[0].length)
        if (head[1] === '200') answers++
        if (perSecond === 0) send()
      }
    })
    socket.once('connect', () => resolve(send))
  })
}
