import process from 'node:process'
import { openMediaReader } from '../../intake/media/media.ts'
import { keepHeapSmall } from '../../intake/small-heap.ts'
import { openStore } from '../../store/store.ts'
import { followFolder, type PreviewEvent, type PreviewTask } from './preview.ts'

// The program of a process of its own, which ends when the one that started it lets go.
keepHeapSmall()
const ending = new AbortController()
process.once('disconnect', () => ending.abort())
process.once('message', async ({ data, folder, caps }: PreviewTask) => {
  const store = await openStore(data)
  const media = openMediaReader()
  const { signal } = ending
  // Where nobody listens any more, `disconnect` is on its way.
  const tell = (news: PreviewEvent) => process.send?.(news, undefined, undefined, () => {})
  try {
    await followFolder(store, folder, { media, caps, signal, now: () => new Date(), tell })
  } finally {
    await media.close()
    await store.close()
  }
})
