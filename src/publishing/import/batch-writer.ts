/** Things that are written many together. */
export type BatchWriter<Item> = {
  /** Takes one; writes all that were taken where they have come to enough. */
  add: (item: Item) => Promise<void> | undefined
  /** Writes what is left. */
  flush: () => Promise<void>
}

/** Collects things, and writes them together as soon as their sizes come to `most`. */
export function batchWriter<Item>(
  most: number,
  sizeOf: (item: Item) => number,
  write: (items: readonly Item[]) => Promise<unknown>,
): BatchWriter<Item> {
  let batch: Item[] = []
  let size = 0
  const flush = async () => {
    const items = batch
    batch = []
    size = 0
    if (items.length > 0) await write(items)
  }
  return {
    add: item => {
      batch.push(item)
      size += sizeOf(item)
      return size < most ? undefined : flush()
    },
    flush,
  }
}
