import { joinBytes } from '../base/bytes.ts'
import { inSteps } from '../base/steps.ts'

/** The bytes of `JSON.stringify`. Lists are written in steps, between which other requests are answered. */
export async function jsonBytes(body: object): Promise<Uint8Array> {
  const encoder = new TextEncoder()
  const pieces: Uint8Array[] = []
  const write = (text: string) => pieces.push(encoder.encode(text))
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue
    write(`${pieces.length === 0 ? '{' : ','}${JSON.stringify(name)}:`)
    if (Array.isArray(value)) await writeList(value, write)
    else write(JSON.stringify(value))
  }
  write(pieces.length === 0 ? '{}' : '}')
  return joinBytes(pieces)
}

async function writeList(list: readonly unknown[], write: (text: string) => void): Promise<void> {
  const starts = Array.from({ length: Math.ceil(list.length / PART) }, (_, at) => at * PART)
  write('[')
  await inSteps(starts, 1, start => {
    const text = JSON.stringify(list.slice(start, start + PART)).slice(1, -1)
    write(start === 0 ? text : `,${text}`)
  })
  write(']')
}

/** Entries in one step: about a millisecond's work. */
const PART = 500
