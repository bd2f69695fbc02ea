import { errorCode } from '../../../base/error.ts'
import type { Settings } from '../../../settings.ts'
import { CommandFailure } from '../../failure.ts'

/** Throws a clear error if a service cannot listen; rethrows any other error. */
export function failToListen(error: unknown, { host, port }: Pick<Settings, 'host' | 'port'>): never {
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      throw new CommandFailure(
        'port_taken',
        `port ${port} of ${host} is in use: name another with --port, or 0 for a free one`,
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      throw new CommandFailure('host_unknown', `${host} is not an address of this machine: name one with --host`)
    case 'EACCES':
      if (!isListening(error)) throw error
      throw new CommandFailure(
        'system_error',
        `this user may not listen on port ${port} of ${host}: name one from 1024 up with --port, or 0 for a free one`,
      )
    default:
      throw error
  }
}

function isListening(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && (error.syscall === 'listen' || error.syscall === 'bind')
}
