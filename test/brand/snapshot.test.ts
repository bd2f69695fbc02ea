import assert from 'node:assert/strict'
import test from 'node:test'
import type { Content } from '#brand/draft.ts'
import type { Hash } from '#brand/ids.ts'
import type { Page } from '#brand/page.ts'
import { freeze, type StoredObject } from '#brand/snapshot.ts'
import { fc, forAll } from '../support/random.ts'
import { contents, shuffledKeys, single } from './contents.ts'

/** A snapshot and its objects. */
async function frozen(content: Content): Promise<{ snapshot: Hash; objects: StoredObject[] }> {
  const objects: StoredObject[] = []
  return { snapshot: await freeze(content, object => void objects.push(object)), objects }
}

test('equal content freezes to equal bytes, regardless of key order', () =>
  forAll([contents, fc.infiniteStream(fc.nat())], async (content, numbers) => {
    const again: Content = shuffledKeys(content, numbers)
    assert.deepEqual(again, content)
    assert.deepEqual(await frozen(again), await frozen(content))
  }))

test('every single change gives a different hash', () =>
  forAll([contents, fc.nat()], async (content, at) => {
    const hashes: Hash[] = []
    for (const changed of single(content, at)) hashes.push((await frozen(changed)).snapshot)
    const { snapshot } = await frozen(content)
    for (const hash of hashes) assert.notEqual(hash, snapshot)
    assert.equal(new Set(hashes).size, hashes.length)
  }))

test('a change of one entry among thousands makes one new chunk and one new root', async () => {
  const content: Content = { name: 'x', pages: await thousands(''), colors: [], types: [], files: [] }
  const changed = {
    ...content,
    pages: content.pages.map((page, at) => (at === 1500 ? { ...page, name: 'x' } : page)),
  }
  const known = new Set((await frozen(content)).objects.map(({ hash }) => hash))
  assert.equal((await frozen(changed)).objects.filter(({ hash }) => !known.has(hash)).length, 2)
})

test('long entries end a chunk early, so each chunk stays small', async () => {
  const content: Content = {
    name: 'x',
    pages: await thousands('x'.repeat(100_000)),
    colors: [],
    types: [],
    files: [],
  }
  const { objects } = await frozen(content)
  assert.ok(objects.every(({ bytes }) => bytes.length < 1_500_000))
  assert.ok(objects.length < 400)
})

/** Three thousand pages. */
async function thousands(description: string): Promise<Page[]> {
  const [page] = fc.sample(contents, { seed: 1, numRuns: 50 }).flatMap(({ pages }) => pages)
  assert.ok(page)
  return Array.from({ length: 3000 }, (_, at) => ({ ...page, name: `Page ${at}`, description }))
}

test('words and settings of lint are only in the root of a content that has them', async () => {
  const nothing: Content = { name: 'x', pages: [], colors: [], types: [], files: [] }
  const rootOf = async (content: Content) => Buffer.from((await frozen(content)).objects.at(-1)?.bytes ?? []).toString()
  assert.equal(await rootOf(nothing), '{"format":1,"name":"x","pages":[],"colors":[],"types":[],"files":[]}')
  assert.equal(
    await rootOf({
      ...nothing,
      nav: 'list',
      lint: {
        neutrals: 'strict',
        rules: { unreadable: 'warning', 'color-off': 'off' },
        ignore: ['a/**'],
        fonts: ['Slick'],
      },
      words: [{ page: 'voice', not: ['utilise'], write: 'use' }],
    }),
    '{"format":1,"name":"x","appearance":{"nav":"list","words":[{"write":"use","not":["utilise"],"page":"voice"}],"lint":{"ignore":["a/**"],"rules":{"color-off":"off","unreadable":"warning"},"neutrals":"strict","fonts":["Slick"]}},"pages":[],"colors":[],"types":[],"files":[]}',
  )
})
