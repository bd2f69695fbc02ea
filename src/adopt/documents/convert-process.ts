import process from 'node:process'
import { type ConvertTask, convertBytes } from './convert-bytes.ts'

// This program runs in a child process, which ends when its parent disconnects. Its answers are in the order of its tasks.
// An error ends it, so that its parent need not wait for the time limit.
let last = Promise.resolve()
process.on('message', ({ bytes, task }: ConvertTask) => {
  last = last.then(async () => {
    process.send?.(await convertBytes(bytes, task))
  })
})
process.send?.('ready')
