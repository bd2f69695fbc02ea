import { connect, type Socket } from 'node:net'

/*
 * The program of a process of its own: a crowd of clients of one kind, which does what it does until the process is
 * ended. As arguments: the kind, how many, the port, the path of a large file, and that of a page. Says `ready` once all
 * have begun.
 */
const [kind = '', count = '1', port = '', file = '', page = ''] = process.argv.slice(2)

/** Clients of this kind that come again do so after this time, in milliseconds, spread over it. */
const AGAIN_MS = 2000

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: brand.test\r\n\r\n`
/** What a client says first that takes the port for one of https. */
const CLIENT_HELLO = Buffer.from(`16030100${'c8'}010000c4${'0303'}${'5a'.repeat(190)}`, 'hex')

/** What one client of each kind does. */
const KINDS: Readonly<Record<string, (at: number) => void>> = {
  idle: () => void open(() => undefined),
  'slow heads': () =>
    forever(socket => {
      socket.write('GET / HTTP/1.1\r\nHost: brand.test\r\nX: ')
      drip(socket)
    }),
  'slow bodies': () =>
    forever(socket => {
      socket.write('POST /oauth/token HTTP/1.1\r\nHost: brand.test\r\nContent-Length: 60000\r\n\r\n')
      drip(socket)
    }),
  'stalled readers': () => void open(socket => socket.pause().write(get(file))),
  'trickling readers': () =>
    void open(socket => {
      socket.pause().write(get(file))
      setInterval(() => socket.read(1000), 1000)
    }),
  'TLS garbage': at => again(at, socket => socket.write(CLIENT_HELLO)),
  pipeliners: at => {
    const socket = open(each => each.resume())
    spread(at, () => socket.write(get(page).repeat(10)))
  },
  aborters: at => again(at, socket => socket.write(get(page), () => socket.destroy())),
}

const begin = KINDS[kind]
if (!begin) throw new Error(`there is no kind ${kind}`)
let connected = 0
for (let at = 0; at < Number(count); at++) {
  begin(at)
  if (at % 50 === 49) await new Promise(resolve => setTimeout(resolve, 10))
}
let isReady = false
// It also keeps the process alive, which sockets that read nothing do not.
setInterval(() => {
  if (isReady || connected < Number(count)) return
  isReady = true
  console.log('ready')
}, 50)

function open(connectedTo: (socket: Socket) => void): Socket {
  const socket = connect(Number(port), '127.0.0.1')
  socket.on('error', () => undefined)
  socket.once('connect', () => {
    connected++
    connectedTo(socket)
  })
  return socket
}

/** Connects again whenever the service has closed the connection. */
function forever(connectedTo: (socket: Socket) => void): void {
  open(connectedTo)
    .resume()
    .once('close', () => setTimeout(() => forever(connectedTo), 100))
}

function drip(socket: Socket): void {
  const timer = setInterval(() => socket.write('x'), 1000)
  socket.once('close', () => clearInterval(timer))
}

function again(at: number, connectedTo: (socket: Socket) => void): void {
  connected++
  spread(at, () => void open(connectedTo).resume())
}

function spread(at: number, work: () => void): void {
  const begin = () => {
    work()
    setInterval(work, AGAIN_MS)
  }
  setTimeout(begin, (at / Number(count)) * AGAIN_MS)
}
