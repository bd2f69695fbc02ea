import { type OpenPool, Pool } from '#platform/processes/pool.ts'
import { childMegabytes } from '#platform/processes/process-slots.ts'
import { fairQueue } from '#platform/processes/queue.ts'
import type { PoolLimits } from '#platform/processes/worker.ts'
import type { ThumbnailAnswer, ThumbnailTask } from './thumbnail-process.ts'

/** Makes pictures smaller in child processes; closing it ends them. */
export type Thumbnailer = OpenPool & {
  /**
   * Makes a picture of at most `width` pixels as WebP, or draws an SVG as PNG; undefined if it is damaged or takes too much
   * time or memory. It waits only for other pictures of the same author.
   *
   * @throws {QueueFull} if too many of this author wait
   * @throws {ProcessFailed} if the picture was not the cause
   */
  make: (picture: LargePicture, width: number, author: string) => Promise<Uint8Array | undefined>
}

/** A stored picture; its bytes are read when its turn comes. An SVG or a JPEG is drawn on `ground`. */
export type LargePicture = {
  contentType: string
  ground?: string
  format?: 'jpeg' | 'light-png'
  open: () => Promise<AsyncIterable<Uint8Array>>
}

/**
 * Opens a thumbnailer. Pictures are decoded by WebAssembly, whose memory is bounded, in processes of lower priority that may
 * only read files.
 */
export function openThumbnailer({ timeoutMs = 30_000, failed }: PoolLimits = {}): Thumbnailer {
  const pool = new Pool<LargePicture & { width: number }, ThumbnailAnswer>({
    name: 'thumbnail',
    program: new URL('./thumbnail-process', import.meta.url),
    execArgv: [
      '--max-old-space-size=256',
      '--max-semi-space-size=4',
      `--wasm-max-mem-pages=${childMegabytes(DECODER_MEGABYTES) * PAGES_PER_MEGABYTE}`,
      '--expose-gc',
    ],
    timeoutMs,
    idleMs: 5_000,
    maxProcesses: 2,
    scaleUpAfterMs: 1000,
    maxTasksEach: 1,
    queue: fairQueue({ maxRunning: 1, maxWaiting: 500 }),
    failed,
    messages: messagesOf,
  })
  return {
    make: async (picture, width, author) => {
      const outcome = await pool.run({ ...picture, width }, { author, size: 1 })
      return outcome.ok && outcome.value.ok ? outcome.value.value : undefined
    },
    ...pool.open,
  }
}

/** Enough for a picture of 64 Mi pixels, which a decoder holds twice. With less memory, large pictures have no thumbnail. */
const DECODER_MEGABYTES = 576
/** A page of WebAssembly memory has 64 KiB. */
const PAGES_PER_MEGABYTE = 16

async function* messagesOf({ open, ...task }: LargePicture & { width: number }): AsyncGenerator<ThumbnailTask> {
  for await (const bytes of await open()) yield { bytes }
  yield task
}
