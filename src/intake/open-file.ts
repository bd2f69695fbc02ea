import { constants, type FileHandle, open } from 'node:fs/promises'

/** Opens a file for reading. Rejects where there is none, or a symbolic link, a folder, a pipe or a device instead. */
export async function openFile(path: string): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw new Error('it is not a file')
}

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
