/** An event of a stream. Without its own `id`, it has the previous one. */
export type StreamEvent = { type: string; data: string; id: string }

/**
 * The events of a `text/event-stream` (HTML §9.2). Ends with the stream; an incomplete event at the end is dropped.
 * Comments give no event.
 */
export async function* eventsIn(chunks: AsyncIterable<Uint8Array<ArrayBuffer>>): AsyncGenerator<StreamEvent> {
  let id = ''
  let fields = new Map<string, string>()
  for await (const line of linesIn(chunks)) {
    if (line === '') {
      const data = fields.get('data')
      if (data !== undefined) yield { type: fields.get('event') ?? 'message', data, id }
      fields = new Map()
      continue
    }
    const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (name === 'id' && !value.includes('\0')) id = value
    const earlier = name === 'data' ? fields.get(name) : undefined
    fields.set(name, earlier === undefined ? value : `${earlier}\n${value}`)
  }
}

/** Complete lines, which end with CRLF, LF or CR. A chunk may end within CRLF. */
async function* linesIn(chunks: AsyncIterable<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  let endsWithCr = false
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true })
    const lines = text.slice(endsWithCr && text.startsWith('\n') ? 1 : 0).split(/\r\n|\n|\r/)
    if (text !== '') endsWithCr = text.endsWith('\r')
    lines[0] = rest + lines[0]
    rest = lines.pop() ?? ''
    yield* lines
  }
}
