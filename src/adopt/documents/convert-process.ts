import process from 'node:process'
import { serial } from '#base/promise.ts'
import { type ConvertTask, convertBytes } from './convert-bytes.ts'

// This program runs in a child process, which ends when its parent disconnects. Its answers are in the order of its tasks.
const inTurn = serial()
process.on('message', ({ bytes, task }: ConvertTask) => {
  void inTurn(async () => process.send?.(await convertBytes(bytes, task)))
})
process.send?.('ready')
