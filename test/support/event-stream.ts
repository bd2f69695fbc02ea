import assert from 'node:assert/strict'

/** A message of an event stream. Comments have only `comment`. */
export type Message = { id?: string; event?: string; retry?: string; data?: Record<string, unknown>; comment?: true }

/** An open event stream. */
export type OpenStream = {
  headers: Headers
  /** The next message with data; fails if the stream ends. */
  next: () => Promise<Message>
  /** The next message of any kind; undefined at the end. */
  any: () => Promise<Message | undefined>
  /** Resolves when the stream has ended. Fails if it was cut off, or if anything comes before the end. */
  ended: () => Promise<void>
  close: () => Promise<void>
}

/** Opens an event stream and reads it as HTML Standard §9.2.6 says. */
export async function openStream(url: string, token: string, lastEventId?: string): Promise<OpenStream> {
  const last = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}`, ...last } })
  assert.equal(response.status, 200, await (response.status === 200 ? '' : response.text()))
  assert.ok(response.body)
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  const any = async () => {
    for (let end = text.indexOf('\n\n'); ; end = text.indexOf('\n\n')) {
      if (end >= 0) {
        const block = text.slice(0, end)
        text = text.slice(end + 2)
        return parse(block)
      }
      const { done, value } = await reader.read()
      if (done) return undefined
      text += decoder.decode(value, { stream: true })
    }
  }
  const next = async () => {
    for (;;) {
      const message = await any()
      assert.ok(message, 'the stream has ended')
      if (message.data) return message
    }
  }
  const ended = async () => assert.equal(await any(), undefined)
  return { headers: response.headers, next, any, ended, close: () => reader.cancel() }
}

function parse(block: string): Message {
  const message: Message = {}
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':')
    const [name, value] = [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')]
    if (name === '') message.comment = true
    else if (name === 'data') message.data = JSON.parse(value)
    else if (name === 'id' || name === 'event' || name === 'retry') message[name] = value
  }
  return message
}
