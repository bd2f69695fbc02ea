import type { FileHandle } from 'node:fs/promises'

/** The bytes of an open file from its start: all of them, or as many as asked for. */
export async function readStart(file: FileHandle, maxBytes: number): Promise<Buffer> {
  const { size } = await file.stat()
  const bytes = Buffer.alloc(Math.min(size, maxBytes))
  let length = 0
  while (length < bytes.length) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return bytes.subarray(0, length)
}
