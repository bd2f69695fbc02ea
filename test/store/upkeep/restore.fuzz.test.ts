import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { open, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { StoreError } from '#store/store-error.ts'
import { CATALOGUE, MANIFEST, TAR_BLOCK, tarHeader, tarPadding, writeArchive } from '#store/upkeep/archive.ts'
import { backUp } from '#store/upkeep/backup.ts'
import { restore } from '#store/upkeep/restore.ts'
import { fc, forAllIn, scale } from '../../support/random.ts'
import { sumsIn } from '../../support/sums.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { publishedStore, SMALL_BRAND } from '../../support/temporary-store.ts'
import { UPKEEP } from './options.ts'

const here = await publishedStore('acme/guidelines', SMALL_BRAND)
const original = join(here.folder, 'backup.tar')
await backUp(here.store, original, UPKEEP)
const whole = await readFile(original)
const entries = entriesOf(whole)
const target = join(await temporaryFolder(), 'restored')

type Entry = { at: number; name: string; bytes: Buffer }

/** The offsets and contents of the entries of an archive. */
function entriesOf(archive: Buffer): Entry[] {
  const found: Entry[] = []
  for (let at = 0; archive[at] !== 0; ) {
    const size = Number.parseInt(archive.toString('latin1', at + 124, at + 135), 8)
    const [name = '', prefix = ''] = [at, at + 345].map(
      start => archive.toString('latin1', start, start + 100).split('\0')[0],
    )
    const bytes = archive.subarray(at + TAR_BLOCK, at + TAR_BLOCK + size)
    found.push({ at, name: prefix === '' ? name : `${prefix}/${name}`, bytes })
    at += TAR_BLOCK + size + tarPadding(size)
  }
  return found
}

const wanted = { result: await restore(original, target, UPKEEP), contents: await sumsIn(target) }
await rm(target, { recursive: true })

/** Restores an archive: with the same result as the original, or with a StoreError, whose message it returns. */
async function outcomeOf(archive: Uint8Array): Promise<string | undefined> {
  const path = join(here.folder, 'altered.tar')
  await writeFile(path, archive)
  return outcomeOfFile(path)
}

async function outcomeOfFile(path: string): Promise<string | undefined> {
  try {
    const result = await restore(path, target, UPKEEP)
    assert.deepEqual({ result, contents: await sumsIn(target) }, wanted)
    await rm(target, { recursive: true })
    return undefined
  } catch (error) {
    assert.ok(error instanceof StoreError && error.code.startsWith('backup_'), String(error))
    assert.equal(existsSync(target), false)
    return error.message
  }
}

/** The header with a correct checksum. */
function withChecksum(header: Buffer): Buffer {
  header.fill(' ', 148, 156)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return header
}

/** The archive with a field of one of its headers replaced. */
function withField(entry: number, start: number, value: Uint8Array): Buffer {
  const archive = Buffer.from(whole)
  const at = entries[entry % entries.length]?.at ?? 0
  archive.set(value, at + start)
  archive.set(withChecksum(Buffer.from(archive.subarray(at, at + TAR_BLOCK))), at)
  return archive
}

const FIELDS = {
  name: [0, 100],
  mode: [100, 8],
  size: [124, 12],
  time: [136, 12],
  type: [156, 1],
  magic: [257, 8],
} as const

const anyEntry = fc.nat(entries.length - 1)
const anyPlace = fc.nat(whole.length - 1)

/** Ways to alter an archive. Altered headers get a correct checksum. */
const alterations = fc.oneof(
  fc.array(fc.tuple(anyPlace, fc.nat(255)), { minLength: 1, maxLength: 4 }).map(changes => {
    const archive = Buffer.from(whole)
    for (const [at, byte] of changes) archive[at] = byte
    return archive
  }),
  anyPlace.map(size => whole.subarray(0, size)),
  anyPlace.map(size => Buffer.concat([whole, whole.subarray(0, size)])),
  fc
    .tuple(anyPlace, fc.uint8Array({ maxLength: 2 * TAR_BLOCK }))
    .map(([at, bytes]) => Buffer.concat([whole.subarray(0, at), bytes, whole.subarray(at)])),
  fc.tuple(anyEntry, anyEntry).map(([from, to]) => {
    const [start = 0, end = 0, place = 0] = [
      entries[from]?.at,
      entries[from + 1]?.at ?? whole.length - 1024,
      entries[to]?.at,
    ]
    return Buffer.concat([whole.subarray(0, place), whole.subarray(start, end), whole.subarray(place)])
  }),
  fc
    .tuple(anyEntry, fc.constantFrom(...Object.values(FIELDS)))
    .chain(([entry, [start, length]]) =>
      fc.uint8Array({ minLength: length, maxLength: length }).map(value => withField(entry, start, value)),
    ),
  fc
    .tuple(anyEntry, fc.stringMatching(/^[-+ 0-9a-fx.]{1,11}$/))
    .map(([entry, size]) => withField(entry, 124, Buffer.from(size.padEnd(12, '\0')))),
  fc
    .tuple(anyEntry, fc.constantFrom(0x80, 0xff, 0xc0), fc.uint8Array({ minLength: 11, maxLength: 11 }))
    .map(([entry, first, rest]) => withField(entry, 124, Uint8Array.of(first, ...rest))),
)

test(
  'any altered archive is restored whole, or refused without a trace',
  {
    timeout: scale(300_000),
  },
  () =>
    forAllIn(80, [alterations], async archive => {
      await outcomeOf(archive)
    }),
)

/** The bytes of a size in base 256. */
function large(size: bigint): Uint8Array {
  const field = Buffer.alloc(12)
  field.writeBigInt64BE(size, 4)
  field.fill(size < 0n ? 0xff : 0, 0, 4)
  field[0] = (field[0] ?? 0) | 0x80
  return field
}

for (const [what, field, value] of [
  ['a size of -1', 'size', Buffer.from('-0000000001\0')],
  ['a size that points back to its own header', 'size', Buffer.from('-0000001000\0')],
  ['a size that is not an octal number', 'size', Buffer.from('00000000089\0')],
  ['a size that begins as a number', 'size', Buffer.from('0000001x000\0')],
  ['no size', 'size', Buffer.alloc(12)],
  ['a negative size in base 256', 'size', large(-512n)],
  ['a size in base 256 beyond safe integers', 'size', large(2n ** 62n)],
  ['a size in base 256 of more than 64 bits', 'size', Buffer.from([0x80, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0])],
  ['a size beyond its end', 'size', Buffer.from('77777777777\0')],
  ['a mode that is not a number', 'mode', Buffer.from('rw-----\0')],
  ['an invalid date', 'time', Buffer.from('yesterday\0\0\0')],
  ['a negative date', 'time', large(-1n)],
  ...['\0', '1', '2', '3', '5', '7', 'g', 'x', 'L', 'S'].map(
    flag => [`the type ${JSON.stringify(flag)}`, 'type', Buffer.from(flag)] as const,
  ),
] as const)
  test(`an archive with an entry of ${what} is refused`, async () => {
    for (const entry of [0, 1, 2, entries.length - 1])
      assert.match((await outcomeOf(withField(entry, FIELDS[field][0], value))) ?? '', /^cannot restore from /)
  })

test('a sparse archive with a size of terabytes is refused without reading it', async () => {
  const path = join(here.folder, 'sparse.tar')
  await writeFile(path, withField(entries.length - 1, 124, large(2n ** 42n)))
  await truncate(path, 2 ** 43)
  assert.match((await outcomeOfFile(path)) ?? '', /its parts do not match their checksums/)
})

type Part = { name: string; bytes: Uint8Array }

const parts: readonly Part[] = entries.slice(0, -1)
const catalogue = parts.find(({ name }) => name === CATALOGUE) ?? { name: CATALOGUE, bytes: new Uint8Array() }

/** The error message for an archive of these parts with correct checksums. */
async function outcomeOfParts(changed: readonly Part[]): Promise<string> {
  const path = join(here.folder, 'made.tar')
  await rm(path, { force: true })
  const file = await open(path, 'wx')
  const archive = writeArchive(file, new Date())
  for (const { name, bytes } of changed) await archive.add(name, bytes.length, Readable.from([bytes]))
  await archive.finish()
  await file.close()
  return (await outcomeOfFile(path)) ?? ''
}

function about(text: string): Part[] {
  return parts.map(part => (part.name === MANIFEST ? { name: MANIFEST, bytes: Buffer.from(text) } : part))
}

function catalogueOf(bytes: Uint8Array): Part[] {
  return parts.map(part => (part.name === CATALOGUE ? { name: CATALOGUE, bytes } : part))
}

for (const [what, made, said] of [
  ['a second catalogue', [...parts, catalogue], 'it holds "catalogue.db" twice'],
  ['a file twice', [...parts, ...parts.slice(-1)], /it holds "files\/acme\/\w{64}" twice/],
  ['a second description', [...parts, ...parts.slice(0, 1)], 'it holds "housestyle.json" twice'],
  [
    'a file of another name',
    [...parts, { ...catalogue, name: '../x' }],
    'it holds "../x", which is not part of a backup',
  ],
  ['no catalogue', parts.filter(part => part !== catalogue), 'it has no catalogue'],
  ['an empty catalogue', catalogueOf(new Uint8Array()), 'its catalogue contains no store'],
  ['a catalogue that is not a database', catalogueOf(Buffer.alloc(4096, 1)), /its catalogue cannot be used \(.*\)/],
  ['a truncated catalogue', catalogueOf(catalogue.bytes.subarray(0, 8192)), /its catalogue cannot be used \(.*\)/],
  ['a description that is null', about('null'), 'it is not a housestyle backup'],
  [
    'a format that is not a number',
    about('{"format":"1","tables":5,"made":"2026-01-01T00:00:00.000Z"}'),
    'it is not a housestyle backup',
  ],
  [
    'half a table',
    about('{"format":1,"tables":4.5,"made":"2026-01-01T00:00:00.000Z"}'),
    'it is not a housestyle backup',
  ],
  [
    'negative tables',
    about('{"format":1,"tables":-1,"made":"2026-01-01T00:00:00.000Z"}'),
    'it is not a housestyle backup',
  ],
  [
    'an invalid date',
    about('{"format":1,"schema":"housestyle-1","tables":1,"made":"2026-02-31T00:00:00.000Z"}'),
    'it is not a housestyle backup',
  ],
  [
    'a date with more in it',
    about('{"format":1,"schema":"housestyle-1","tables":1,"made":"2026-01-01T00:00:00.000Z\\u001b[31m"}'),
    'it is not a housestyle backup',
  ],
] as const)
  test(`an archive with ${what} is refused, although its checksums are correct`, async () => {
    const message = await outcomeOfParts(made)
    const [start, end] = [
      `cannot restore from ${join(here.folder, 'made.tar')}: `,
      '; no store was created, use another backup',
    ]
    assert.ok(message.startsWith(start) && message.endsWith(end), message)
    const reason = message.slice(start.length, -end.length)
    if (typeof said === 'string') assert.equal(reason, said)
    else assert.match(reason, said)
  })

for (const [what, sql, said] of [
  ['an empty URN', "UPDATE identity SET value = '' WHERE name = 'urn'", 'its catalogue contains no store'],
  ['an altered text', "UPDATE object SET bytes = CAST('x' AS BLOB)", /^object \w{64} of acme does not match its hash$/],
] as const)
  test(`an archive whose catalogue has ${what} is refused immediately, although its checksums are correct`, async () => {
    const message = await outcomeOfParts(catalogueOf(await changedCatalogue(sql)))
    const reason =
      /^cannot restore from \S+: (.*); no store was created, use another backup$/.exec(message)?.[1] ?? message
    if (typeof said === 'string') assert.equal(reason, said)
    else assert.match(reason, said)
  })

test('an archive whose catalogue is newer than its manifest needs that newer version', async () => {
  const message = await outcomeOfParts(
    catalogueOf(await changedCatalogue('INSERT INTO migration SELECT 99, schema, 99 FROM migration')),
  )
  assert.equal(message, `${join(here.folder, 'made.tar')} was made by a newer housestyle: restore it with that version`)
})

async function changedCatalogue(sql: string): Promise<Uint8Array> {
  const path = join(here.folder, 'changed.db')
  await writeFile(path, catalogue.bytes)
  const database = new DatabaseSync(path)
  database.exec(`PRAGMA journal_mode = DELETE; PRAGMA foreign_keys = OFF; PRAGMA legacy_alter_table = ON; ${sql}`)
  database.close()
  return readFile(path)
}

test('an archive with data after its end is refused', async () => {
  for (const more of [
    Buffer.alloc(1),
    Buffer.alloc(TAR_BLOCK),
    whole,
    tarHeader({ name: 'x', size: 0, modified: new Date() }),
  ])
    assert.match((await outcomeOf(Buffer.concat([whole, more]))) ?? '', /: it has data after its end; /)
})
