import { spawnSync } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  constants,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

/** Where a system keeps files in memory, and the room that the tests must find there. */
const MEMORY = '/dev/shm'
const MIN_MEMORY = 4 * 2 ** 30

/**
 * Makes the temporary folder of a run, in memory if it has room, because tests write many small files. When this process
 * ends, the processes that still use the folder end, and it is removed.
 */
export function useOwnFolder(): void {
  const folder = inMemory() ?? makeIn(tmpdir())
  process.env.TMPDIR = folder
  process.once('exit', () => {
    for (const id of usersOf(folder)) end(id)
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  })
}

/** A short name, because the paths of sockets have at most 107 bytes. Tests run programs as other users in it. */
function makeIn(place: string): string {
  const folder = mkdtempSync(join(place, 'hs-'))
  chmodSync(folder, 0o755)
  return folder
}

/** A folder there, unless there is no room or programs in it cannot run, as in many containers. */
function inMemory(): string | undefined {
  try {
    accessSync(MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY)
    if (bavail * bsize < MIN_MEMORY) return undefined
  } catch {
    return undefined
  }
  const folder = makeIn(MEMORY)
  const script = join(folder, 'program')
  writeFileSync(script, '#!/bin/sh\n', { mode: 0o755 })
  const { status } = spawnSync(script)
  rmSync(status === 0 ? script : folder, { recursive: true })
  return status === 0 ? folder : undefined
}

/** The processes other than this one that were started with this temporary folder, on Linux. */
function usersOf(folder: string): number[] {
  return globSync('/proc/[0-9]*/environ')
    .filter(path => isIn(path, `TMPDIR=${folder}`))
    .map(path => Number(basename(dirname(path))))
    .filter(id => id !== process.pid)
}

function isIn(path: string, variable: string): boolean {
  try {
    return readFileSync(path, 'utf8').split('\0').includes(variable)
  } catch {
    return false
  }
}

function end(id: number): void {
  try {
    process.kill(id, 'SIGKILL')
  } catch {
    // It has ended.
  }
}
