import { isUnsupported } from './bucket-errors.ts'

/** Sends an upload with our checksum, or without it to a server that does not support it. */
export type WithChecksum = <Value>(send: (hasChecksum: boolean) => Promise<Value>) => Promise<Value>

/**
 * Makes a function that sends uploads to a bucket. Some servers reject the fields of checksums; from then on, it sends
 * none. Objects are compared with their hash when they are read.
 */
export function checksumsOf(): WithChecksum {
  let isSupported = true
  return async send => {
    if (!isSupported) return send(false)
    try {
      return await send(true)
    } catch (error) {
      if (!isUnsupported(error, CHECKSUM_FIELD)) throw error
      const value = await send(false)
      isSupported = false
      return value
    }
  }
}

const CHECKSUM_FIELD = /x-amz-(?:sdk-)?checksum/i
