import assert from 'node:assert/strict'
import test from 'node:test'
import { replyCache } from '../../client/src/replies.ts'
import { givenTokens } from '../../client/src/token.ts'
import { until } from '../support/until.ts'
import { scriptedServer, testPlatform } from './platform.ts'

/** Answers as the API does: 304 if the client has the current text. */
function versionedServer(current: { text: string; revision: string }) {
  return scriptedServer((response, request) => {
    const etag = `"${current.text.length}"`
    response.setHeader('etag', etag).setHeader('housestyle-revision', current.revision)
    const isKnown = request.headers['if-none-match'] === etag
    response.writeHead(isKnown ? 304 : 200).end(isKnown ? undefined : current.text)
  })
}

test('an unchanged reply is sent once, and its revision is always the current one', async () => {
  const current = { text: 'one', revision: '1' }
  const { url, requests } = await versionedServer(current)
  const getReply = replyCache(testPlatform(), givenTokens('a'))
  const get = async () => {
    const { text, revision } = await getReply(url, undefined)
    return { text, revision }
  }
  assert.deepEqual(await get(), { text: 'one', revision: '1' })
  current.revision = '2'
  assert.deepEqual(await get(), { text: 'one', revision: '2' })
  current.text = 'three'
  assert.deepEqual(await get(), { text: 'three', revision: '2' })
  const seen = requests.map(({ headers }) => headers['if-none-match'])
  assert.deepEqual(seen, [undefined, '"3"', '"3"'])
})

test('another token does not use the replies of the first', async () => {
  const tokens = ['a', 'b']
  const { url, requests } = await versionedServer({ text: 'one', revision: '1' })
  const getReply = replyCache(testPlatform(), async () => tokens.shift() ?? '')
  await getReply(url, undefined)
  await getReply(url, undefined)
  const seen = requests.map(({ headers }) => [headers.authorization, headers['if-none-match']])
  assert.deepEqual(seen, [
    ['Bearer a', undefined],
    ['Bearer b', undefined],
  ])
})

test('the cache drops the least recently used replies beyond ten million characters', async () => {
  const { url, requests } = await versionedServer({ text: 'x'.repeat(4_000_000), revision: '1' })
  const getReply = replyCache(testPlatform(), givenTokens('a'))
  for (const path of ['/1', '/2', '/1', '/3', '/1', '/2']) await getReply(url + path, undefined)
  const seen = requests.map(({ headers }) => headers['if-none-match'] !== undefined)
  assert.deepEqual(seen, [false, false, true, false, true, false])
})

test('concurrent requests share one; leaving it does not abort the others, until the last has left', async () => {
  let answer: (() => void) | undefined
  let isClosed = false
  const { url, requests } = await scriptedServer(response => {
    answer = () => response.end('all')
    response.on('close', () => {
      isClosed = !response.writableEnded
    })
  })
  const getReply = replyCache(testPlatform(), givenTokens('a'))
  const leave = async (controller: AbortController, pending: Promise<unknown>) => {
    controller.abort(new Error('left'))
    await assert.rejects(pending, { message: 'left' })
  }
  const [first, second, third] = [new AbortController(), new AbortController(), new AbortController()]
  const one = getReply(url, first.signal)
  const two = getReply(url, undefined)
  await until(() => answer !== undefined)
  await leave(first, one)
  answer?.()
  assert.equal((await two).text, 'all')
  assert.equal(requests.length, 1)

  const three = getReply(url, second.signal)
  const four = getReply(url, third.signal)
  await until(() => requests.length === 2)
  await Promise.all([leave(second, three), leave(third, four)])
  await until(() => isClosed)
})

test('a request that gets 401 is repeated once with another token, if there is one', async () => {
  const { url, requests } = await scriptedServer((response, { headers }) =>
    response.writeHead(headers.authorization === 'Bearer new' ? 200 : 401).end('all'),
  )
  const refusedOnes: unknown[] = []
  const getReply = replyCache(testPlatform(), async refused => {
    refusedOnes.push(refused)
    return refused === undefined ? 'old' : 'new'
  })
  assert.equal((await getReply(url, undefined)).text, 'all')
  assert.deepEqual(refusedOnes, [undefined, 'old'])
  await assert.rejects(replyCache(testPlatform(), givenTokens('old'))(url, undefined), { status: 401 })
  assert.equal(requests.length, 3)
})

test('an aborted signal sends nothing', async () => {
  const { url, requests } = await scriptedServer(response => response.end())
  const getReply = replyCache(testPlatform(), givenTokens('a'))
  await assert.rejects(getReply(url, AbortSignal.abort(new Error('left'))), { message: 'left' })
  assert.equal(requests.length, 0)
})
