import process from 'node:process'
import { type LintMessage, lintFile } from './lint-file.ts'

// This program runs in a child process, which ends when its parent disconnects.
let chunks: Uint8Array[] = []
process.on('message', (message: LintMessage) => {
  if ('bytes' in message) {
    chunks.push(message.bytes)
    return
  }
  const bytes = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
  chunks = []
  void lintFile(bytes, message).then(answer => process.send?.(answer))
})
process.send?.('ready')
