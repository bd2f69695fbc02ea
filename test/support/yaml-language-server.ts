import { spawn } from 'node:child_process'
import { fileURLToPath, pathToFileURL } from 'node:url'

const SERVER = new URL('bin/yaml-language-server', import.meta.resolve('yaml-language-server/package.json'))

/** The client side of the Language Server Protocol 3.17 that these tests need. */
export type Editor = {
  /** Opens a file and returns its diagnostics: lines, from 0, and messages. */
  marks: (path: string, text: string) => Promise<[line: number, message: string][]>
  /** The hover information at a position, as Markdown. */
  hover: (path: string, line: number, character: number) => Promise<string>
  /** The completions at a position. */
  completions: (path: string, line: number, character: number) => Promise<string[]>
  close: () => void
}

/** Starts yaml-language-server, which many editors use, without a network. */
export async function openEditor(): Promise<Editor> {
  const child = spawn(process.execPath, [fileURLToPath(SERVER), '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const waiting = new Map<string, (value: unknown) => void>()
  let lastId = 0
  const send = (message: object): void => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }
  const answered = <Value>(key: string, parse: (value: unknown) => Value): Promise<Value> =>
    new Promise(resolve => waiting.set(key, value => resolve(parse(value))))
  const ask = (method: string, params: object): Promise<unknown> => {
    const id = ++lastId
    send({ id, method, params })
    return answered(`${id}`, value => value)
  }
  const settle = (key: string, value: unknown): void => {
    waiting.get(key)?.(value)
    waiting.delete(key)
  }
  onMessages(child.stdout, message => {
    const { id, method, params, result } = message
    if (method === 'workspace/configuration') send({ id, result: params.items.map(() => SETTINGS) })
    else if (method === 'textDocument/publishDiagnostics') settle(params.uri, params.diagnostics)
    else if (method !== undefined && id !== undefined) send({ id, result: null })
    else if (method === undefined) settle(`${id}`, result)
  })
  const place = (path: string, line: number, character: number) => ({
    textDocument: { uri: pathToFileURL(path).href },
    position: { line, character },
  })
  await ask('initialize', { processId: process.pid, rootUri: null, capabilities: {} })
  send({ method: 'initialized', params: {} })
  return {
    marks: (path, text) => {
      const uri = pathToFileURL(path).href
      const marked = answered(uri, marksOf)
      send({ method: 'textDocument/didOpen', params: { textDocument: { uri, languageId: 'yaml', version: 1, text } } })
      return marked
    },
    hover: async (path, line, character) =>
      JSON.stringify(await ask('textDocument/hover', place(path, line, character))),
    completions: async (path, line, character) =>
      labelsOf(await ask('textDocument/completion', place(path, line, character))),
    close: () => child.kill('SIGKILL'),
  }
}

/** Disables the download of schemas. */
const SETTINGS = { schemaStore: { enable: false } }

/** Calls back with each message of a stream: a header with the length, an empty line, and JSON. */
function onMessages(stream: NodeJS.ReadableStream, take: (message: ReturnType<typeof JSON.parse>) => void): void {
  let rest = Buffer.alloc(0)
  stream.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const head = rest.indexOf('\r\n\r\n')
      const length = Number(/Content-Length: (\d+)/i.exec(rest.subarray(0, Math.max(head, 0)).toString())?.[1])
      if (head < 0 || rest.length < head + 4 + length) return
      const body = rest.subarray(head + 4, head + 4 + length).toString()
      rest = rest.subarray(head + 4 + length)
      take(JSON.parse(body))
    }
  })
}

function marksOf(diagnostics: unknown): [line: number, message: string][] {
  if (!Array.isArray(diagnostics)) throw new Error('the server gave no list of diagnostics')
  return diagnostics.map(({ range, message }) => [range.start.line, message])
}

function labelsOf(completion: ReturnType<typeof JSON.parse>): string[] {
  return (completion?.items ?? completion ?? []).map(({ label }: { label: string }) => label)
}
