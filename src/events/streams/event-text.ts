import { type EventRecord, eventData } from '../../store/catalogue/events.ts'

/** A comment, which keeps connections open (HTML Standard §9.2.7). */
export const COMMENT = encode(':\n\n')

/** An event as a stream sends it (HTML Standard §9.2.5). */
export function encodeEvent(event: EventRecord): Uint8Array {
  return encodeFields({ id: event.id, event: event.type, data: JSON.stringify(eventData(event)) })
}

/** A block of fields. Values must not contain line breaks. */
export function encodeFields(fields: Readonly<Record<string, string>>): Uint8Array {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\n`)
  return encode(`${lines.join('')}\n`)
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
