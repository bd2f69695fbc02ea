/**
 * Starts a generator that reads from `source`, and ends the source when the generator ends or its reader leaves. Ending a
 * generator that has not started runs none of its code, so this takes a first, empty chunk.
 */
export async function startChunks(
  source: AsyncGenerator<Uint8Array>,
  read: (source: AsyncGenerator<Uint8Array>) => AsyncGenerator<Uint8Array>,
): Promise<AsyncGenerator<Uint8Array>> {
  const started = (async function* () {
    try {
      yield new Uint8Array()
      yield* read(source)
    } finally {
      await source.return(undefined)
    }
  })()
  await started.next()
  return started
}
