import process from 'node:process'
import { openMediaReader } from '#intake/media/media.ts'
import { errorMessage } from '#platform/base/error.ts'
import { endIdle } from '#platform/processes/idle.ts'
import { openSharedStore } from '#store/shared-store.ts'
import { openStore } from '#store/store.ts'
import { asStoreError } from '#store/store-error.ts'
import { type PullTask, pull } from './pull.ts'
import { saveFailure } from './source-state.ts'

// The program of a process that pulls one source. It ends when the process that started it disconnects.
const ending = new AbortController()
process.once('disconnect', () => ending.abort())
process.once('message', async ({ place, source, host, mirrors, maxGit, caps, take }: PullTask) => {
  const isShared = place.database !== undefined || place.files !== undefined
  const store = await (isShared ? openSharedStore(place) : openStore(place.data))
  const media = openMediaReader()
  const read = { media, caps, take, signal: ending.signal, progress: () => undefined }
  const kill = (id: number, signal: NodeJS.Signals) => void process.kill(id, signal)
  try {
    const parts = { store, host: { ...host, environment: process.env, kill }, mirrors, maxGit }
    await pull(parts, source, { read })
  } catch (error) {
    const message = `cannot import the commit: ${errorMessage(asStoreError(error, mirrors))}`
    if (!ending.signal.aborted) await saveFailure(store.database, source, { code: 'pull_failed', message })
  } finally {
    await media.close()
    await endIdle()
    await store.close()
    if (process.connected) process.disconnect?.()
  }
})
