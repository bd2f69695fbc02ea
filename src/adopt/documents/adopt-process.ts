import process from 'node:process'
import { ok } from '#platform/base/result.ts'
import type { Source } from '../conversion/source.ts'
import type { ConvertTask } from './convert-bytes.ts'

// This program runs in a child process, which ends when its parent disconnects. Its answers are in the order of its tasks:
// pages, and lists of files with styles. An error ends it, so that its parent need not wait for the time limit.
let last = Promise.resolve()
process.on('message', (task: ConvertTask | readonly Source[]) => {
  last = last.then(async () => {
    process.send?.(
      'task' in task
        ? await (await import('./convert-bytes.ts')).convertBytes(task.bytes, task.task)
        : ok((await import('../conversion/source.ts')).readSources(task)),
    )
  })
})
process.send?.('ready')
