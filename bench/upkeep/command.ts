import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { parsedHash } from '../../src/brand/snapshot.ts'
import { openLocks } from '../../src/store/database/locks.ts'
import { openSqlite } from '../../src/store/database/sqlite.ts'
import type { StoredFile } from '../../src/store/files/files.ts'
import { openS3Files } from '../../src/store/files/files-s3.ts'
import { openStore, type Store } from '../../src/store/store.ts'
import { backUp } from '../../src/upkeep/backup.ts'
import { examineStore } from '../../src/upkeep/doctor.ts'
import { gc } from '../../src/upkeep/gc.ts'
import { restoreInto } from '../../src/upkeep/restore-shared.ts'
import { bodyOf, FILES, hashOf } from './files.ts'

/*
 * node command.ts NAME DATA ARCHIVE OBJECTS LISTED: does what a command of upkeep does to a store of so many files, which a
 * server of S3 lists (`bucket`) or memory, and prints the most memory that it has had, in MiB. Bytes come from memory.
 */

const [name = '', data = '', archive = '', objects = '', listed = ''] = process.argv.slice(2)
const count = Number(objects)
const bodies = new Map(Array.from({ length: FILES }, (_, at) => [hashOf(at), bodyOf(at)]))
const options = { now: () => new Date(), signal: new AbortController().signal, progress: () => undefined, graceMs: 0 }

const WORK: Readonly<Record<string, () => Promise<unknown>>> = {
  backup: () => withStore(0, store => backUp(store, archive, options)),
  doctor: () => withStore(0, async store => assertNone(await examineStore(store, options))),
  gc: () =>
    withStore(count, async store => {
      const { files } = await gc(store, { ...options, keep: {}, isDryRun: false })
      if (files !== count) throw new Error(`gc has removed ${files} files`)
    }),
  restore: async () => {
    const database = await openSqlite(`${archive}.db`)
    const { files, close } = await openFiles(undefined, 0)
    const place = { data, database: 'postgres://restored' }
    await restoreInto({ database, locks: openLocks(`${archive}.locks`), files }, archive, place, options)
    await Promise.all([database.close(), close()])
  },
}

await WORK[name]?.()
console.log(process.resourceUsage().maxRSS / 1024)

async function withStore(unneeded: number, work: (store: Store) => Promise<unknown>): Promise<void> {
  const store = await openStore(data)
  const { files, close } = await openFiles(store.identity.urn, unneeded)
  await work({ ...store, files })
  await Promise.all([store.close(), close()])
}

/** A bucket of all files of `acme`, `w1`, `w2` …, and of as many that nothing needs as are asked for. */
async function openFiles(urn: string | undefined, unneeded: number) {
  const keys = [...keysOf('w', count), ...keysOf('x', unneeded)].sort()
  const lister = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://any')
    const after = searchParams.get('start-after') ?? ''
    const start = after === '' ? 0 : keys.indexOf(after) + 1
    const page = urn === undefined ? [] : keys.slice(start, start + 1000)
    const contents = page.map(key => `<Contents><Key>${key}</Key><Size>${bodyOf(0).length}</Size></Contents>`)
    const isTruncated = page.length > 0 && start + 1000 < keys.length
    response.end(`<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${contents.join('')}</ListBucketResult>`)
  }).listen(0, '127.0.0.1')
  await once(lister, 'listening')
  const address = lister.address()
  const endpoint = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const bucket = openS3Files({ bucket: 'any', prefix: '', region: 'us-east-1', endpoint, isPathStyle: true })
  let owner = urn
  const files: Store['files'] = {
    ...bucket,
    ...(listed !== 'bucket' && { listAll: () => filesOf(urn === undefined ? [] : keys) }),
    owner: async () => owner,
    setOwner: async given => {
      owner = given
    },
    open: async (_, hash) => given(bodies.get(hash) ?? new Uint8Array()),
    put: async (_, hash, bytes) => {
      const digest = createHash('sha256')
      for await (const chunk of bytes) digest.update(chunk)
      if (digest.digest('hex') !== hash) throw new Error('other bytes')
    },
    remove: async () => undefined,
    listIncoming: async () => [],
    removeIncoming: async () => undefined,
  }
  const close = async () => {
    lister.closeAllConnections()
    lister.close()
  }
  return { files, close }
}

function* keysOf(letter: string, wanted: number): Generator<string> {
  for (let at = 0; at < wanted; at++) {
    const group = Math.floor(at / FILES)
    const hash = hashOf(at % FILES)
    yield `${group === 0 && letter === 'w' ? 'acme' : `${letter}${group}`}/${hash.slice(0, 2)}/${hash}`
  }
}

async function* filesOf(keys: readonly string[]): AsyncGenerator<StoredFile> {
  for (const key of keys) {
    const [workspace = '', , hash = ''] = key.split('/')
    yield { workspace, hash: parsedHash(hash), size: bodyOf(0).length }
  }
}

async function* given(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

function assertNone(problems: readonly unknown[]): void {
  if (problems.length > 0) throw new Error(JSON.stringify(problems.slice(0, 3)))
}
