export type BatchWriter<Item> = {
  /** Adds an item. Writes the batch once it is full. */
  add: (item: Item) => Promise<void> | undefined
  /** Writes the last batch. */
  flush: () => Promise<void>
}

/** Collects items and writes them in one batch as soon as their sizes add up to `batchSize`. */
export function batchWriter<Item>(
  batchSize: number,
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
      return size < batchSize ? undefined : flush()
    },
    flush,
  }
}
