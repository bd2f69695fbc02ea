import process from 'node:process'
import { openMediaReader } from '#intake/media/media.ts'
import { endIdle } from '#platform/processes/idle.ts'
import { openStore } from '#store/store.ts'
import { type PreviewEvent, type PreviewTask, previewFolder } from './preview.ts'

// The program of the preview process. It ends when the process that started it disconnects.
const ending = new AbortController()
process.once('disconnect', () => ending.abort())
process.once('message', async ({ data, folder, caps }: PreviewTask) => {
  const store = await openStore(data)
  const media = openMediaReader()
  const { signal } = ending
  // An error means that the other process has exited; `disconnect` follows.
  const send = (event: PreviewEvent) => process.send?.(event, undefined, undefined, () => {})
  try {
    await previewFolder(store, folder, { media, caps, signal, now: () => new Date(), send })
  } finally {
    await media.close()
    await endIdle()
    await store.close()
  }
})
