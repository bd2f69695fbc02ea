/** Writes items in batches. */
export type BatchWriter<Item> = {
  /** Adds an item; writes the batch if it is full. */
  add: (item: Item) => Promise<void> | undefined
  /** Writes what is left. */
  flush: () => Promise<void>
}

/** Collects items, and writes them together as soon as their sizes add up to `maxSize`. */
export function batchWriter<Item>(
  maxSize: number,
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
      return size < maxSize ? undefined : flush()
    },
    flush,
  }
}
