import fs from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { mock } from 'node:test'
import type { Database, Queries } from '#store/database/database.ts'
import { storePaths } from '#store/paths.ts'
import type { Store } from '#store/store.ts'

/** The message of a fault. */
export const FAULT = 'EIO: i/o error, on purpose'

/** A store that counts every write, fsync and rename below its folder, and lets one of them fail. */
export type FaultyStore = {
  store: Store
  /** The kinds of steps so far, in order. */
  steps: string[]
  hasFailed: () => boolean
  end: () => void
}

/** Lets the n-th step fail, counted from 1. */
export function withFault(store: Store, folder: string, failing: number): FaultyStore {
  const steps: string[] = []
  const step = (kind: string) => {
    steps.push(kind)
    if (steps.length === failing) throw new Error(FAULT)
  }
  const { open, rename, mkdir } = fs.promises
  const { committed } = storePaths(folder)
  // A change is made even if it cannot be recorded, so a fault in recording would have no effect.
  const isHere = (path: unknown) => typeof path === 'string' && path.startsWith(folder) && !path.startsWith(committed)
  mock.method(fs.promises, 'open', async (...args: Parameters<typeof open>) => {
    if (isHere(args[0])) step('open')
    const handle = await open(...args)
    return isHere(args[0]) ? faultyHandle(handle, step) : handle
  })
  mock.method(fs.promises, 'rename', async (...args: Parameters<typeof rename>) => {
    if (isHere(args[0])) step('rename')
    return rename(...args)
  })
  mock.method(fs.promises, 'mkdir', async (...args: Parameters<typeof mkdir>) => {
    if (isHere(args[0])) step('mkdir')
    return mkdir(...args)
  })
  failSync(isHere, step)
  syncBuiltinESMExports()
  const end = () => {
    mock.restoreAll()
    syncBuiltinESMExports()
  }
  return {
    store: { ...store, database: faultyDatabase(store.database, step) },
    steps,
    end,
    hasFailed: () => steps.length >= failing,
  }
}

/** Lets synchronous steps fail. */
function failSync(isHere: (path: unknown) => boolean, step: (kind: string) => void): void {
  const { openSync, writeSync, renameSync, mkdirSync } = fs
  const ours = new Set<unknown>()
  mock.method(fs, 'openSync', (...args: Parameters<typeof openSync>) => {
    if (!isHere(args[0])) return openSync(...args)
    step('open')
    const descriptor = openSync(...args)
    ours.add(descriptor)
    return descriptor
  })
  mock.method(fs, 'writeSync', (...args: unknown[]) => {
    if (ours.has(args[0])) step('write')
    return Reflect.apply(writeSync, fs, args)
  })
  mock.method(fs, 'renameSync', (...args: Parameters<typeof renameSync>) => {
    if (isHere(args[0])) step('rename')
    renameSync(...args)
  })
  mock.method(fs, 'mkdirSync', (...args: unknown[]) => {
    if (isHere(args[0])) step('mkdir')
    return Reflect.apply(mkdirSync, fs, args)
  })
}

function faultyHandle(handle: FileHandle, step: (kind: string) => void): FileHandle {
  const { sync, writeFile, write } = handle
  handle.sync = async () => {
    step('fsync')
    await sync.call(handle)
  }
  handle.writeFile = async (...args) => {
    step('write')
    await writeFile.apply(handle, args)
  }
  mock.method(handle, 'write', (...args: Parameters<typeof write>) => {
    step('write')
    return write.apply(handle, args)
  })
  return handle
}

function faultyDatabase(database: Database, step: (kind: string) => void): Database {
  const transaction: Database['transaction'] = work =>
    database.transaction(async queries => {
      const faulty: Queries = {
        ...queries,
        run: (sql, ...values) => {
          step('statement')
          return queries.run(sql, ...values)
        },
      }
      const value = await work(faulty)
      step('commit')
      return value
    })
  return { ...database, transaction, run: (sql, ...values) => transaction(queries => queries.run(sql, ...values)) }
}
