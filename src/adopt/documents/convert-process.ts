import process from 'node:process'
import { type ConvertMessage, convertBytes } from './convert-bytes.ts'

// This program runs in a child process, which ends when its parent disconnects.
let chunks: Uint8Array[] = []
process.on('message', (message: ConvertMessage) => {
  if ('bytes' in message) {
    chunks.push(message.bytes)
    return
  }
  const bytes = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
  chunks = []
  void convertBytes(bytes, message).then(answer => process.send?.(answer))
})
process.send?.('ready')
