import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { command } from '../test/support/command.ts'
import { writeFolder } from '../test/support/temporary.ts'
import type { Bench, Figure } from './support/bench.ts'
import { PUBLIC_URL } from './support/brands.ts'
import { CODE_LOADED_MS, residentMegabytes, type Server, startService } from './support/processes.ts'

const STREAMS = 1000
const STREAMS_PER_TOKEN = 125
const PUBLICATIONS = 5

/** The memory of 1,000 open event streams, and the time until a publication has reached all of them. */
export async function* measure(bench: Bench): AsyncGenerator<Figure> {
  const { bin, folder, started } = bench
  const store = ['--data', join(folder, 'store')]
  const publish = async (text: string) => {
    await writeFolder(join(folder, 'acme'), { 'guide/pages/index.md': `# ${text}\n` })
    await command(bin, 'import', join(folder, 'acme'), ...store)
    await command(bin, 'publish', '--all', ...store)
  }
  await publish('First')
  const tokens = await issueTokens(bin, store)
  const service = await startService(bench, store)
  await sleep(CODE_LOADED_MS)
  const before = residentMegabytes(service.pid)
  const streams = await openStreams(service, tokens)
  started.defer(streams.close)
  const times: number[] = []
  for (let at = 0; at < PUBLICATIONS; at++) {
    const reached = streams.reached()
    await publish(`Publication ${at}`)
    const committed = performance.now()
    times.push((await reached) - committed)
  }
  const memory = residentMegabytes(service.pid) - before
  yield { name: `${STREAMS} open event streams`, value: memory, unit: 'MB', bound: { atMost: 80 } }
  const note = times.map(time => time.toFixed(0)).join(' ')
  const value = Math.max(...times)
  yield { name: 'from a publication until all streams have it', value, unit: 'ms', note, bound: { atMost: 1000 } }
}

async function issueTokens(bin: string, store: readonly string[]): Promise<string[]> {
  const tokens: string[] = []
  while (tokens.length * STREAMS_PER_TOKEN < STREAMS)
    tokens.push((await command(bin, 'token', 'issue', 'acme', ...store, '--public-url', PUBLIC_URL)).trim())
  return tokens
}

type Streams = {
  /** Resolves to the time at which every stream has received one more publication. */
  reached: () => Promise<number>
  close: () => void
}

async function openStreams(service: Server, tokens: readonly string[]): Promise<Streams> {
  const sockets: Socket[] = []
  let [received, done] = [0, (_: number) => {}]
  const published = () => {
    received++
    if (received % STREAMS === 0) done(performance.now())
  }
  for (let at = 0; at < STREAMS; at++) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const token = tokens[Math.floor(at / STREAMS_PER_TOKEN)] ?? ''
    sockets.push(openStream(Number(new URL(service.url).port), token, { opened: resolve, published }))
    await promise
  }
  return {
    reached: () =>
      new Promise(resolve => {
        done = resolve
      }),
    close: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}

type Listener = { opened: () => void; published: () => void }

function openStream(port: number, token: string, { opened, published }: Listener): Socket {
  const socket = connect({ port, host: '127.0.0.1' })
  const fields = `Host: brand.test\r\nAccept: text/event-stream\r\nAuthorization: Bearer ${token}\r\n`
  socket.write(`GET /events/workspace/acme HTTP/1.1\r\n${fields}\r\n`)
  return socket.setEncoding('latin1').on('data', (text: string) => {
    if (text.includes('event: state')) opened()
    if (text.includes('event: published')) published()
    if (/^HTTP\/1\.1 (?!200)/.test(text)) throw new Error(`a stream is refused: ${text}`)
  })
}
